/* What costs more than it did, by the permutation test of gnomon check --against. The host side computes it. */
{
  let table;

  const verdictOf = (one) => one.worse ? "WORSE" : one.too_few_calls ? "few" : "good";
  const changeOf = (one) => one.mean_before > 0 ? 100 * (one.mean / one.mean_before - 1) : one.mean > 0 ? Infinity : 0;
  const signedText = (value, digits, unit = "") => (value >= 0 ? "+" : "") + value.toFixed(digits) + unit;

  /* As printf's %.3g. */
  function threeDigits(value) {
    return value && (value < 1e-4 || value >= 1000) ? value.toExponential(2).replace(/\.?0+e/, "e").replace(/e([+-])(\d)$/, "e$10$2") : String(Number(value.toPrecision(3)));
  }

  function columns(list, width) {
    const number = (id, title, em, value, show, gives = 0) => ({id, title, width: em, gives, value: (i) => value(list[i]), show: (i) => show(list[i])});
    const text = (id, title, em, show) => ({id, title, width: em, text: true, value: (i) => show(list[i]), show: (i) => show(list[i])});
    const rank = (one) => one.worse ? 0 : one.too_few_calls ? 1 : 2;
    return fitting([
      {id: "verdict", title: "", width: 5.5, text: true, value: (i) => rank(list[i]) + list[i].adjusted / 2, show: (i) => make("span", {class: list[i].worse ? "plus" : null}, verdictOf(list[i]))},
      {...text("name", "function", 0, (one) => clean(one.function)), show: (i) => list[i].doubtful ? make("span", {class: "doubt", title: "a figure of one of the profiles is not exact"}, "+ " + clean(list[i].function)) : clean(list[i].function)},
      text("cost", "cost", 6, (one) => clean(one.cost)), number("calls", "calls", 6.5, (one) => one.calls, (one) => count(one.calls), 3), number("before", "mean before", 8, (one) => one.mean_before, (one) => sixDigits(one.mean_before), 2),
      number("mean", "mean", 8, (one) => one.mean, (one) => sixDigits(one.mean), 1), number("change", "change", 7, changeOf, (one) => one.mean_before > 0 ? signedText(changeOf(one), 2, " %") : one.mean > 0 ? "from 0" : "-"),
      number("effect", "effect", 5, (one) => one.effect, (one) => signedText(one.effect, 2), 4), number("p", "p", 5.5, (one) => one.adjusted, (one) => threeDigits(one.adjusted)),
    ], width);
  }

  function rowIn(profile, one, state) {
    const rows = profile.list({...state, cost: one.cost}).filter((row) => row.symbol === one.symbol);
    return rows.find((row) => row.module === one.module && row.file === (one.file || "")) || rows.find((row) => row.file === (one.file || "")) || rows[0];
  }

  function details(one, sides) {
    const found = sides.map(([title, profile, state]) => [title, rowIn(profile, one, state)]);
    return [make("h2", null, clean(one.function)), make("p", null, `${verdictOf(one)}: ${count(one.calls)} calls, ${count(one.calls_before)} before; compared within ${count(one.strata)} ${one.strata === 1 ? "scenario and device" : "scenarios and devices"}`),
      make("p", null, `p ${threeDigits(one.p)}, ${threeDigits(one.adjusted)} for all together; ${one.all_permutations ? "all permutations counted" : "permutations drawn at random"}`),
      ...found.flatMap(([title, row]) => row ? [make("h2", null, title), row.exact ? "" : make("p", {class: "doubt"}, doubtText(row)), factsOf(row), histogram(row)] : [])];
  }

  function showVerdicts(root, state, verdicts, sides) {
    const list = verdicts.functions, side = make("div", {class: "side broad"}, make("p", null, "Choose a function to see both distributions.")), place = make("div", {class: "grow"});
    const key = (one) => [one.symbol, one.cost].join(" ");
    root.append(make("p", {class: "tools", id: "verdict"}, `${count(verdicts.worse)} of ${count(list.length)} functions and costs WORSE, at a level of ${Number(verdicts.level.toPrecision(6))} for all together` +
      (list.some((one) => one.too_few_calls) ? "; few: too few calls for any change to be told from chance" : "")), make("div", {class: "columns under"}, place, side));
    table = new Table(place, columns(list, place.clientWidth), {rows: range(list.length), sort: state.sort || "verdict", descending: state.up ? state.up !== "1" : Boolean(state.sort), label: "Verdicts",
      onselect: (i) => { setState({function: key(list[i])}); side.replaceChildren(...details(list[i], sides)); }, onsort: (id, descending) => setState({sort: id, up: descending ? 0 : 1})});
    const search = rowTest(state.search), chosen = list.findIndex((one) => key(one) === state.function);
    if (search) table.setFilter((i) => search({name: list[i].function, symbol: list[i].symbol, file: list[i].file || ""}));
    if (chosen < 0) return;
    table.goTo(chosen);
    side.replaceChildren(...details(list[chosen], sides));
  }

  /* In a fleet: two builds, which the service compares. */
  async function showBuilds(root, state, profile) {
    const builds = profile.values("build").filter(Boolean), name = (build) => `${shortBuild(build)} ${[...profile.sources.values()].filter((source) => source.build === build).map((source) => clean(source.program))[0]}`;
    if (builds.length < 2) {
      root.append(note("There are not two builds to compare."));
      return;
    }
    root.append(make("div", {class: "tools"}, ...["old", "new"].map((side) => choice("worse", {...state, old: state.old || builds[0], new: state.new || builds.at(-1)}, side, builds, name, true)),
      make("span", {id: "found", role: "status"}, "comparing ...")));
    try {
      const of = (side, place) => state[side] || builds.at(place);
      const reply = await askFleet(`compare?old=${encodeURIComponent(of("old", 0))}&new=${encodeURIComponent(of("new", -1))}`), verdicts = await reply.json();
      if (!root.isConnected || root.dataset.view !== "worse") return;
      byId("found").remove();
      showVerdicts(root, state, verdicts, [["now", profile, {build: of("new", -1)}], ["before", profile, {build: of("old", 0)}]]);
    } catch (error) {
      if (byId("found")) byId("found").textContent = "not compared: " + error.message;
    }
  }

  function show(root, state, profile) {
    table = null;
    if (inFleet()) showBuilds(root, state, profile);
    else showVerdicts(root, state, data.verdicts, [["now: " + clean(data.summary.profile), profile, {}], ["before: " + clean(data.summary.before), profileOf("api-before"), {}]]);
  }

  function ready() {
    if (inFleet()) return fleetReady();
    return Boolean(data.summary.before) || note("There is no earlier profile: ", make("code", null, "gnomon ui NEW.gnp OLD.gnp"), ".");
  }

  /* Both profiles' figures. */
  function exactness() {
    if (inFleet()) return exactnessOf([...profileOf("api").rows.values()]);
    return exactnessOf([...profileOf("api").rows.values(), ...profileOf("api-before").rows.values()]);
  }

  addApiView({id: "worse", title: "Compare", show, ready, exactness, of: (summary) => summary.kind, focus: () => table && table.rows, keys: [["arrows", "next row"]]});
}
