/* What the page says of an API profile: figures as gnomon api list prints them, and how exact they are. */

/* The same with at most six digits; half of the last one goes to the even digit, as in C. */
function toSix(value) {
  const [digits, power] = value.toExponential(60).replace(".", "").split("e");
  return /^\d{5}[02468]50*$/.test(digits) ? Number(`${digits[0]}.${digits.slice(1, 6)}e${power}`) : Number(value.toExponential(5));
}

/* As printf's %.6g. */
function sixDigits(value) {
  if (!value) return "0";
  const six = toSix(value), [digits, power] = six.toExponential(5).split("e").map(Number), strip = (text) => text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  if (power >= -4 && power < 6) return strip(six.toFixed(5 - power));
  return strip(digits.toFixed(5)) + "e" + (power < 0 ? "-" : "+") + String(Math.abs(power)).padStart(2, "0");
}

/* A sum that has reached its largest value is only a lower bound. */
function bound(value) {
  return (value === MOST ? ">=" : "") + count(value);
}

const figure = {
  count: (row) => bound(row.count),
  mean: (row) => row.sums ? sixDigits(row.mean) : "-",
  deviation: (row) => row.sums ? sixDigits(row.deviation) : "-",
  least: (row) => row.least === null ? "-" : count(row.least),
  most: (row) => row.most === null ? "-" : count(row.most),
  sum: (row) => row.sums ? bound(row.sum) : "-",
};

/* Is the cost one of whole runs: own cycles, or own events? */
function ofRuns(cost) {
  return cost.startsWith("own-") && cost !== "own-bytes";
}

/* What is counted: calls, of memory blocks, of own cycles runs. */
function callsOf(cost) {
  return {"bytes": "blocks", "own-bytes": "blocks"}[cost] || (ofRuns(cost) ? "runs" : "calls");
}

function bucketRange(log2) {
  return log2 === 31 ? `${count(2n ** 31n)} and more` : `${count(log2 ? 2n ** BigInt(log2) : 0n)} - ${count(2n ** BigInt(log2 + 1) - 1n)}`;
}

function where(row) {
  return (row.file ? clean(fileName(row.file)) + (row.line ? ":" + row.line : "") : "") + (row.module === row.program ? "" : " " + clean(row.module));
}

function shortBuild(build) {
  return build.slice(0, 8);
}

/* How a value of a dimension is shown. */
function valueText(dimension, value) {
  if (dimension === "build") return value ? shortBuild(value) : NONE;
  if (dimension === "size") return value === "0" ? NONE : count(BigInt(value));
  return clean(linkText(value));
}

/* ---- Doubts ---- */

/* The gravest first: as in the first line of gnomon api list, in short, and in full. */
const doubts = {
  saturated: ["some sums too large: at least", "some sums are lower bounds", "A sum has reached its largest value: it and what follows from it are lower bounds (>=)."],
  loss: ["not exact: events were lost", "events were lost", "Events were lost that can have changed these figures."],
  deep: ["bytes of outer functions too small: some stacks have 64 calls or more", "bytes of outer functions too small", "Some stacks had 64 calls or more, of which only 64 are kept: bytes of outer functions can be too small."],
  counts: ["sums of some runs not known", "sums of some runs not known", "Some runs counted calls only: sums, means and deviations are not shown."],
  unseen: ["counted exactly, except calls that did not end", "some calls did not end", "Some calls did not end, or were not seen: they are in no bucket."],
};

function doubtsOf(row) {
  return [...(row.saturated ? ["saturated"] : []), ...row.doubt];
}

function doubtText(row) {
  const found = doubtsOf(row).map((name) => doubts[name][2]);
  return row.lost ? [...found, `${bound(row.lost)} calls are in no bucket.`].join(" ") : found.join(" ");
}

/* A name, marked if some of its figures are not exact. */
function markedName(row) {
  return row.exact ? row.name : make("span", {class: "doubt", title: doubtText(row)}, "+ " + row.name);
}

/* The first line, of these rows. */
function exactnessOf(rows) {
  const found = Object.keys(doubts).map((name) => [name, rows.filter((row) => doubtsOf(row).includes(name)).length]).filter(([, many]) => many);
  return {exact: !found.length, complete: true,
    phrase: found.length ? found.map(([name, many]) => `${doubts[name][1]} (${count(many)} of ${count(rows.length)} rows)`).join("; ") : "counted exactly",
    reasons: found.map(([name, many]) => ({text: `${count(many)} of ${count(rows.length)} rows, marked +: ${doubts[name][2]}`}))};
}

/* ---- The header ---- */

/* "one", or how many. */
function common(values, before, many) {
  const [first] = values;
  if (!values.length) return "";
  if (values.length === 1) return first === "" ? "" : before + clean(first);
  return `${before.replace(/scenario $/, "")}${count(values.length)} ${many}`;
}

/* The first line of gnomon api list. */
function aboutOf(profile) {
  const sources = [...profile.sources.values()], of = (name) => [...new Set(sources.map((source) => source[name]))];
  const runs = sources.reduce((all, source) => saturated(all + source.runs, MOST), 0n), functions = new Set([...profile.rows.values()].filter((row) => !ofRuns(row.cost)).map(groupOf)).size; /* own cycles are also of what is no function */
  const sizes = of("size").map(BigInt).filter(Boolean).sort((a, b) => (a < b ? -1 : 1)), builds = of("build");
  return `${bound(runs)} run${runs === 1n ? "" : "s"}` + common(of("program"), " of ", "programs") + common(of("device"), " on ", "devices") +
    (builds.length > 1 ? `, ${count(builds.length)} builds` : "") + common(of("scenario"), ", scenario ", "scenarios") +
    (sizes.length ? sizes[0] === sizes.at(-1) ? `, size ${count(sizes[0])}` : `, sizes ${count(sizes[0])} to ${count(sizes.at(-1))}` : "") +
    `, ${count(functions)} function${functions === 1 ? "" : "s"}, ${wholeDoubt([...profile.rows.values()])}`;
}

/* The gravest doubt of these rows. */
function wholeDoubt(rows) {
  const worst = Object.keys(doubts).find((name) => rows.some((row) => doubtsOf(row).includes(name)));
  return worst ? doubts[worst][0] : "counted exactly";
}
