/* API profiles (gnomon_api_json): sources, and rows for each function, cost and source. What is chosen is added as
 * gnomon api list does: all numbers are BigInt, and stay at the largest value that the profile's fields have. */

const MOST = 2n ** 64n - 1n, MOST_SQUARES = 2n ** 128n - 1n;
const dimensions = ["program", "build", "scenario", "size", "device"];
const NONE = "(none)"; /* in a link: the text is empty */

/* Characters that would move or hide what stands beside a name. */
function clean(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, "\ufffd");
}

function saturated(value, most) {
  return value < most ? value : most;
}

function addBucket(to, from) {
  to.count = saturated(to.count + from.count, MOST);
  to.sum = saturated(to.sum + from.sum, MOST);
  to.squares = saturated(to.squares + from.squares, MOST_SQUARES);
}

function meanOf(bucket) {
  return bucket.count ? Number(bucket.sum) / Number(bucket.count) : 0;
}

function deviationOf(bucket) {
  const square = bucket.squares * bucket.count - bucket.sum * bucket.sum;
  return square > 0n ? Math.sqrt(Number(square)) / Number(bucket.count) : 0;
}

/* ---- Reading ---- */

const wide = (text) => text === null ? null : BigInt(text);

function readRow(json, source) {
  return {source, saturated: json.saturated, name: clean(json.function), symbol: json.symbol, cost: json.cost, module: json.module, moduleBuild: json.module_build,
    file: json.file || "", line: json.line, doubt: json.doubt, lost: wide(json.lost), least: wide(json.least), most: wide(json.most),
    buckets: json.buckets.map(({log2, count: calls, sum, squares}) => ({log2, count: BigInt(calls), sum: BigInt(sum), squares: BigInt(squares)}))};
}

class ApiProfile {
  constructor() {
    this.sources = new Map();
    this.rows = new Map();
    this.version = 0;
    this.chosen = new Map();
  }

  /* Adds what the profile has, in the place of what it had under the same key. */
  take(json) {
    const sources = json.sources.map((one) => {
      const key = JSON.stringify(dimensions.map((name) => one[name])), source = this.sources.get(key) || {key};
      this.sources.set(key, Object.assign(source, one, {runs: BigInt(one.runs), cycles: BigInt(one.cycles)}));
      return source;
    });
    for (const one of json.rows) {
      const source = sources[one.source];
      this.rows.set(JSON.stringify([source.key, one.module, one.module_build, one.symbol, one.file, one.cost]), readRow(one, source));
    }
    this.version++;
    this.chosen.clear();
  }

  costs() {
    const found = [...new Set([...this.rows.values()].map((row) => row.cost))].sort();
    return [...found.filter((cost) => cost === "cycles"), ...found.filter((cost) => cost !== "cycles")];
  }

  costOf(state) {
    return state.cost || this.costs()[0];
  }

  /* The different texts of a dimension, of sources that pass; sizes in their order. */
  values(dimension, state = {}) {
    const found = [...new Set([...this.sources.values()].filter((source) => passes(source, state)).map((source) => source[dimension]))];
    return dimension === "size" ? found.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)) : found.sort();
  }

  modules() {
    return [...new Set([...this.rows.values()].map((row) => row.module))].sort();
  }

  /* Rows of all costs, one for each source. */
  parts(state = {}) {
    return [...this.rows.values()].filter((row) => passes(row.source, state) && (!state.module || linkText(row.module) === state.module));
  }

  /* What gnomon api list shows of one cost: a row for each function of each program and build; `of`, whose name is `name`,
   * makes other groups. */
  list(state, of = groupOf, name = of.name) {
    const key = JSON.stringify([name, this.costOf(state), state.module, ...dimensions.map((one) => state[one])]);
    let rows = this.chosen.get(key);
    if (!rows) {
      const groups = new Map(), cost = this.costOf(state);
      for (const row of this.parts(state)) {
        if (row.cost !== cost) continue;
        const id = of(row), group = groups.get(id);
        if (group) group.push(row);
        else groups.set(id, [row]);
      }
      rows = [...groups].map(([id, parts]) => addRows(id, parts));
      this.chosen.set(key, rows);
    }
    return rows;
  }
}

/* A value as it stands in a link. */
function linkText(value) {
  return value === "" ? NONE : value;
}

function passes(source, state) {
  return dimensions.every((name) => !state[name] || linkText(source[name]) === state[name]);
}

/* ---- Adding ---- */

const groupOf = (row) => JSON.stringify([row.source.program, row.source.build, row.module, row.moduleBuild, row.symbol, row.file]);

function addBuckets(parts) {
  if (parts.length === 1) return parts[0].buckets;
  const buckets = [];
  for (const part of parts)
    for (const bucket of part.buckets)
      if (buckets[bucket.log2]) addBucket(buckets[bucket.log2], bucket);
      else buckets[bucket.log2] = {...bucket};
  return buckets.filter(Boolean);
}

function addRows(id, parts) {
  const [first] = parts, sum = {count: 0n, sum: 0n, squares: 0n}, buckets = addBuckets(parts);
  const row = {id, at: hash(id + first.cost).toString(16), parts, buckets, name: first.name, symbol: first.symbol, cost: first.cost, module: first.module, file: first.file,
    line: 0, program: first.source.program, build: first.source.build, lost: 0n, least: null, most: null, doubt: [...new Set(parts.flatMap((part) => part.doubt))]};
  for (const bucket of buckets) addBucket(sum, bucket);
  for (const part of parts) {
    row.lost = saturated(row.lost + part.lost, MOST);
    if (part.line && (!row.line || part.line < row.line)) row.line = part.line;
    if (part.least === null) continue;
    if (row.least === null || part.least < row.least) row.least = part.least;
    if (row.most === null || part.most > row.most) row.most = part.most;
  }
  row.saturated = sum.count === MOST || sum.sum === MOST || sum.squares === MOST_SQUARES || row.lost === MOST;
  return Object.assign(row, sum, {mean: meanOf(sum), deviation: deviationOf(sum), sums: sum.count > 0n && !row.doubt.includes("counts"),
    exact: !row.doubt.length && !row.saturated});
}

/* The row of a link; undefined: it has none. */
function rowOfLink(rows, state) {
  if (!state.function) return undefined;
  return rows.find((row) => row.at === state.at && row.symbol === state.function) || rows.find((row) => row.symbol === state.function);
}

function linkOfRow(row) {
  return {function: row.symbol, at: row.at};
}

/* ---- The profiles of this page ---- */

const profiles = {};

/* "api" or "api-before". Its JSON is not needed any more. */
function profileOf(name) {
  if (!profiles[name]) {
    profiles[name] = new ApiProfile();
    profiles[name].take(data[name]);
    data[name] = true;
  }
  return profiles[name];
}
