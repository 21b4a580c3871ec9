/* What the views of API profiles share: the choice of sources, a function's histogram. */

/* The part of a view's state that says what is chosen: it is the same in all these views. */
function choiceOf(state) {
  return Object.fromEntries([...dimensions, "module", "cost"].filter((name) => state[name]).map((name) => [name, state[name]]));
}

function goTo(id, state) {
  location.hash = linkTo(id, state);
}

/* A list of values, and "all" unless `must`; the present view is drawn again with the one that is chosen. */
function choice(id, state, name, values, text, must = false) {
  const select = make("select", {id: "by-" + name, onchange: () => goTo(id, {...state, [name]: select.value})},
    must ? null : make("option", {value: ""}, "all"), ...values.map((value) => make("option", {value: linkText(value)}, text(value))));
  select.value = state[name] || (must ? values[0] : "");
  return make("label", null, name + " ", select);
}

/* null: there is one cost only. */
function costChoice(id, state, profile) {
  const costs = profile.costs();
  return costs.length > 1 ? choice(id, state, "cost", costs, clean, true) : null;
}

/* Only what there is a choice of. */
function choices(id, state, profile) {
  const of = (name, values) => values.length > 1 || state[name] ? choice(id, state, name, values, (value) => valueText(name, value)) : null;
  return [costChoice(id, state, profile), ...dimensions.map((name) => of(name, profile.values(name))), of("module", profile.modules())].filter(Boolean);
}

function searchBox(state, search) {
  const input = make("input", {type: "search", id: "search", placeholder: "Search (/)", "aria-label": "Search functions", value: state.search || "",
    oninput: () => { setState({search: input.value}); search(input.value); }});
  return input;
}

/* Names and files, by a text or a pattern. */
function rowTest(text) {
  const test = matcher(text);
  return test && ((row) => test(row.name) || test(row.symbol) || test(row.file));
}

/* ---- A histogram ---- */

const barColors = {count: "#3f8fb5", sum: "#d8663a"};

/* Shares of BigInt as numbers, precise enough for the width of a bar. */
function shareOf(part, whole) {
  return whole ? Number(part * 1000000n / whole) / 1000000 : 0;
}

function barOf(part, most, kind, ems) {
  return styled(make("i"), {display: "inline-block", height: "12px", background: barColors[kind], width: ems * shareOf(part, most) + "em"});
}

function largest(values) {
  return values.reduce((most, value) => value > most ? value : most, 0n);
}

/* `wide`: there is room for more than the card beside a table. */
function histogram(row, wide = false) {
  const ems = wide ? 14 : 4;
  const most = largest(row.buckets.map((bucket) => bucket.count)), mostSum = largest(row.buckets.map((bucket) => bucket.sum)), calls = callsOf(row.cost);
  const table = tableOf([{title: clean(row.cost)}, {title: calls}, {title: "share"}, {title: "", text: true}, ...row.sums ? [{title: "sum"}, {title: "", text: true}, ...wide ? [{title: "mean"}, {title: "deviation"}] : []] : []],
    row.buckets.map((bucket) => [bucketRange(bucket.log2), bound(bucket.count), (100 * shareOf(bucket.count, row.count)).toFixed(2) + " %", barOf(bucket.count, most, "count", ems),
      ...row.sums ? [bound(bucket.sum), barOf(bucket.sum, mostSum, "sum", ems), ...wide ? [sixDigits(meanOf(bucket)), sixDigits(deviationOf(bucket))] : []] : []]));
  table.className = "histogram";
  table.setAttribute("aria-label", `${calls} of ${row.name} by ${row.cost}`);
  return table;
}

/* Beside each other where it is `wide`, else below each other. */
function factsOf(row, wide = false) {
  const names = ["count", "mean", "deviation", "least", "most", "sum"], title = (name) => name === "count" ? callsOf(row.cost) : name;
  if (wide) return tableOf(names.map((name) => ({title: title(name)})), [names.map((name) => figure[name](row))]);
  return tableOf([{title: "", text: true}, {title: clean(row.cost)}], names.map((name) => [title(name), figure[name](row)]));
}

/* The width of a column of numbers, in em: room for the largest, within reason. */
function widthFor(title, values, text) {
  return Math.min(12, Math.max(4, 1.6 + 0.58 * Math.max(title.length + 2, text(largest(values)).length)));
}

/* A column of a table of rows. */
function numberColumn(rows, id, title) {
  const exact = id !== "mean" && id !== "deviation";
  return {id, title, width: exact ? widthFor(title, rows.map((row) => row[id] === null ? 0n : row[id]), bound) : 8,
    value: (i) => rows[i][id] === null ? -1n : rows[i][id], show: (i) => figure[id](rows[i])};
}

/* The columns for which there is room, `width` in pixels: those with the largest `gives` go first, those without stay. */
function fitting(columns, width) {
  const LETTER = 14, NAME = 10, shown = columns.slice();
  for (const column of columns.filter((one) => one.gives).sort((a, b) => b.gives - a.gives)) {
    if (24 + LETTER * shown.reduce((all, one) => all + (one.width || NAME), 0) <= width) break;
    shown.splice(shown.indexOf(column), 1);
  }
  return shown;
}

/* What is beside a table or a picture when a function is chosen. */
function card(row, state) {
  return [make("h2", null, row.name), make("p", null, [where(row), clean(row.program), shortBuild(row.build)].filter(Boolean).join(", ")),
    row.exact ? null : make("p", {class: "doubt"}, doubtText(row)), factsOf(row), histogram(row),
    make("p", null, make("a", {href: linkTo("drill", {...choiceOf(state), ...linkOfRow(row)})}, "sources and runs"), " ",
      make("a", {href: linkTo("spectrum", {...choiceOf(state), ...linkOfRow(row)})}, "spectrum"))].filter(Boolean);
}

/* ---- Registering ---- */

/* A view of the profile "api": `show(root, state, profile)`. */
function addApiView(view) {
  addView({bundles: ["api"], ready: () => fleetReady(), exactness: (state) => exactnessOf(profileOf("api").list(state)),
    of: (summary) => summary.kind || summary.profile, kept: choiceOf, ...view, show: (root, state) => view.show(root, state, profileOf("api"))});
}
