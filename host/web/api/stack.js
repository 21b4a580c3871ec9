/* Costly functions in the flame graph: those whose calls cost more, by an API profile, than the reader says. */

const costly = {rows: [], measure: "", least: 0};

/* A function of any program and build. */
const functionOf = (row) => JSON.stringify([row.symbol, fileName(row.file)]);

/* The profile's row of each function of the recording: by the linker's name and the file, if both know one. */
function joinProfile(cost) {
  const bySymbol = new Map(), list = profileOf("api").list({cost}, functionOf);
  for (const row of list) bySymbol.set(row.symbol, [...bySymbol.get(row.symbol) || [], row]);
  costly.rows = data.symbols.map((symbol, i) => {
    const rows = bySymbol.get(symbol) || [], file = fileName(data.functions.file[i] || "");
    return rows.find((row) => fileName(row.file) === file) || rows.find((row) => !row.file || !file) || null;
  });
}

function measured(row) {
  return costly.measure === "sum" ? Number(row.sum) : row.mean;
}

/* Does the function stand out? `index` is its place in the recording. */
function isCostly(index) {
  const row = costly.measure && index >= 0 ? costly.rows[index] : null;
  return Boolean(row && row.sums && measured(row) >= costly.least);
}

/* The API's figures, for what is under the pointer; "": the profile has none. */
function costlyText(index) {
  const row = costly.measure && index >= 0 ? costly.rows[index] : null;
  if (!row) return "";
  return `\n${isCostly(index) ? "costly by" : "in"} ${clean(data.summary.profile)}: ${clean(row.cost)} mean ${figure.mean(row)}, deviation ${figure.deviation(row)}, most ${figure.most(row)}` +
    `\n${figure.count(row)} ${callsOf(row.cost)}, sum ${figure.sum(row)}` + (row.exact ? "" : "\n+ " + doubtText(row));
}

/* So that ten functions of the recording stand out. */
function usualLeast() {
  const values = [...new Set(costly.rows)].filter((row) => row && row.sums).map(measured).sort((a, b) => b - a);
  return values.length ? values[Math.min(9, values.length - 1)] : 0;
}

function setCostly(state) {
  const profile = profileOf("api");
  costly.measure = state.api === "off" ? "" : state.api || "mean";
  joinProfile(profile.costOf(state));
  costly.least = state.least && Number.isFinite(Number(state.least)) ? Number(state.least) : usualLeast();
}

/* The tools above the graph; `changed()` draws it again. */
function costlyTools(state, changed) {
  const profile = profileOf("api"), now = {...state};
  const set = (changes) => {
    Object.assign(now, changes);
    setState(changes);
    setCostly(now);
    least.value = sixDigits(costly.least);
    changed();
  };
  const measure = make("select", {id: "api", onchange: () => set({api: measure.value, least: null})}, ...[["mean", "mean"], ["sum", "sum"], ["off", "off"]].map(([value, text]) => make("option", {value}, text)));
  measure.value = costly.measure || "off";
  const least = make("input", {id: "least", type: "text", inputmode: "decimal", size: 9, value: sixDigits(costly.least), onchange: () => set({least: least.value})});
  const costs = profile.costs(), cost = make("select", {id: "by-cost", onchange: () => set({cost: cost.value, least: null})}, ...costs.map((one) => make("option", {value: one}, clean(one))));
  cost.value = profile.costOf(state);
  return [make("label", null, "costly by ", measure), costs.length > 1 ? make("label", null, "of ", cost) : null, make("label", null, "at least ", least)].filter(Boolean);
}

/* The costly functions of a stack, the outermost first. */
function costlyList(indices) {
  const found = [...new Set(indices)].filter(isCostly).map((index) => costly.rows[index]);
  return found.length ? make("dl", {"aria-label": "Costly functions on this stack, the outermost first"}, ...found.flatMap((row) => [make("dt", null, make("a", {href: linkTo("apis", {cost: row.cost, function: row.symbol})}, markedName(row))),
    make("dd", null, `mean ${figure.mean(row)}, most ${figure.most(row)}, ${figure.count(row)} ${callsOf(row.cost)}, sum ${figure.sum(row)}`)])) : make("p", null, "No function of this stack is costly.");
}
