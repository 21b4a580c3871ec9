/* Drill-down: from all sources to one, to a function, to its line. A level that has one value only is passed. */
{
  let table;

  /* The first dimension that is not chosen and has a choice; undefined: it is one source. */
  function levelOf(profile, state) {
    return dimensions.find((name) => !state[name] && profile.values(name, state).length > 1);
  }

  function crumbs(state, profile, row) {
    const parts = [["all", {cost: state.cost}]], chosen = {cost: state.cost};
    for (const name of [...dimensions, "module"]) {
      if (!state[name]) continue;
      chosen[name] = state[name];
      parts.push([`${name} ${name === "build" ? state[name].slice(0, 8) : clean(state[name])}`, {...chosen}]);
    }
    if (row) parts.push([row.name, {...chosen, ...linkOfRow(row)}]);
    return make("nav", {class: "crumbs", "aria-label": "Path"}, ...parts.flatMap(([text, to], i) =>
      [i ? " \u203a " : "", make("a", {href: linkTo("drill", to), "aria-current": i === parts.length - 1 ? "location" : null}, text)]));
  }

  /* For each value of the level: {runs, cycles, functions, count, sum, exact, sums}. */
  function sumsOf(profile, state, level, values) {
    const sums = new Map(values.map((value) => [value, {runs: 0n, cycles: 0n, functions: 0, count: 0n, sum: 0n, exact: true, sums: true}]));
    const add = (to, name, value) => { to[name] = saturated(to[name] + value, MOST); };
    for (const source of profile.sources.values()) {
      if (!passes(source, state)) continue;
      for (const name of ["runs", "cycles"]) add(sums.get(source[level]), name, source[name]);
    }
    for (const row of profile.list(state, (one) => JSON.stringify([one.source[level], groupOf(one)]), level)) {
      const to = sums.get(row.parts[0].source[level]);
      for (const name of ["count", "sum"]) add(to, name, row[name]);
      to.functions++;
      to.exact &&= row.exact;
      to.sums &&= row.sums || !row.count;
    }
    return values.map((value) => sums.get(value));
  }

  function showLevel(root, state, profile, level) {
    const values = profile.values(level, state), sums = sumsOf(profile, state, level, values);
    const to = (i) => linkTo("drill", {...state, [level]: linkText(values[i])}), cost = profile.costOf(state);
    const number = (id, title, show = (one) => bound(one[id])) => ({id, title, width: widthFor(title, sums.map((one) => BigInt(one[id])), bound), value: (i) => sums[i][id], show: (i) => show(sums[i])});
    const name = (i) => [sums[i].exact ? "" : "+ ", level === "build" ? values[i] || NONE : valueText(level, values[i])].join("");
    const place = make("div", {class: "grow"});
    root.append(place);
    table = new Table(place, [number("runs", "runs"), number("cycles", "cycles"), number("functions", "functions", (one) => count(one.functions)), number("count", callsOf(cost)),
      number("sum", `sum of ${clean(cost)}`, (one) => one.sums ? bound(one.sum) : "-"),
      {id: "name", title: level, width: 0, text: true, value: (i) => level === "size" ? BigInt(values[i]) : values[i], show: (i) => make("a", {href: to(i), class: sums[i].exact ? null : "doubt"}, name(i))}],
    {rows: range(values.length), sort: state.sort || "sum", descending: state.up !== "1", label: "Sources by " + level, onopen: (i) => { location.hash = to(i); },
      onselect: (i) => say(`${name(i)}: ${bound(sums[i].runs)} runs, ${count(sums[i].functions)} functions`), onsort: (id, descending) => setState({sort: id, up: descending ? null : 1})});
  }

  /* One source: its functions. */
  function showSource(root, state, profile) {
    const rows = profile.list(state), place = make("div", {class: "grow"}), to = (i) => linkTo("drill", {...choiceOf(state), ...linkOfRow(rows[i])});
    const number = (id, title) => numberColumn(rows, id, title);
    root.append(place);
    table = new Table(place, [number("count", callsOf(profile.costOf(state))), number("mean", "mean"), number("sum", "sum"),
      {id: "name", title: "function", width: 0, text: true, value: (i) => rows[i].name, show: (i) => make("a", {href: to(i), class: rows[i].exact ? null : "doubt"}, (rows[i].exact ? "" : "+ ") + rows[i].name)},
      {id: "where", title: "where", width: 12, text: true, value: (i) => where(rows[i]), show: (i) => where(rows[i])}],
    {rows: range(rows.length), sort: state.sort || "sum", descending: state.up !== "1", label: "Functions", onopen: (i) => { location.hash = to(i); },
      onselect: (i) => say(`${rows[i].name}: mean ${figure.mean(rows[i])}`), onsort: (id, descending) => setState({sort: id, up: descending ? null : 1})});
  }

  /* Lines around the declaration, where the file was at hand; "": it was not. */
  function excerpt(row) {
    const found = (data.excerpts || []).find((one) => one.file === row.file && one.line === row.line);
    return found ? make("pre", {class: "excerpt", "aria-label": "Source"}, ...found.text.map((text, i) =>
      make("span", {class: found.from + i === row.line ? "here" : null}, String(found.from + i).padStart(6) + "  " + clean(text) + "\n"))) : "";
  }

  function partsTable(row, state) {
    const of = (source, name) => valueText(name, source[name]), parts = row.parts.map((part) => addRows("", [part]));
    return tableOf([...["scenario", "size", "device"].map((title) => ({title, text: true})), {title: "runs"}, {title: callsOf(row.cost)}, {title: "mean"}, {title: "most"}, {title: "sum"}, {title: "", text: true}],
      parts.map((part) => {
        const {source} = part.parts[0], to = {...choiceOf(state), ...Object.fromEntries(dimensions.map((name) => [name, linkText(source[name])]))};
        return [make("a", {href: linkTo("drill", {...to, ...linkOfRow(row)})}, of(source, "scenario")), of(source, "size"), of(source, "device"), bound(source.runs), ...["count", "mean", "most", "sum"].map((name) => figure[name](part)),
          part.exact ? "" : make("span", {class: "doubt", title: doubtText(part)}, "+")];
      }));
  }

  function costsTable(row, state, profile) {
    const others = profile.costs().filter((cost) => cost !== row.cost).flatMap((cost) => profile.list({...state, cost}).filter((one) => one.id === row.id));
    return others.length ? [make("h2", null, "Other costs"), tableOf([{title: "cost", text: true}, {title: "calls or blocks"}, {title: "mean"}, {title: "sum"}], others.map((one) =>
      [make("a", {href: linkTo("drill", {...choiceOf(state), ...linkOfRow(one), cost: one.cost})}, clean(one.cost)), figure.count(one), figure.mean(one), figure.sum(one)]))] : [];
  }

  function showFunction(root, state, profile, row) {
    root.append(make("div", {class: "scroll"}, make("h2", null, row.name),
      make("p", null, row.file ? make("code", null, clean(row.file) + (row.line ? ":" + row.line : "")) : "its source file is not known", ` in ${clean(row.module)}, program ${clean(row.program)}`, row.build ? `, build ${clean(row.build)}` : ""),
      row.exact ? "" : make("p", {class: "doubt"}, doubtText(row)), factsOf(row, true), histogram(row, true), make("h2", null, "Runs"), partsTable(row, state), ...costsTable(row, state, profile),
      row.file && !inFleet() ? make("h2", null, "Source") : "", excerpt(row) || (row.file && !inFleet() ? make("p", null, "The file was not at hand, or its text was left out.") : "")));
  }

  function show(root, state, profile) {
    const row = rowOfLink(profile.list(state), state), level = levelOf(profile, state);
    table = null;
    root.append(make("div", {class: "tools"}, crumbs(state, profile, row), costChoice("drill", state, profile) || ""));
    if (row) showFunction(root, state, profile, row);
    else if (level) showLevel(root, choiceOf(state), profile, level);
    else showSource(root, state, profile);
  }

  addApiView({id: "drill", title: "Drill-down", show, focus: () => table && table.rows, keys: [["arrows", "next row"], ["Enter", "into it"]]});
}
