/* The functions of the profile, and who called one and whom it called. */
{
  let table;

  function doubt(index, text) {
    return data.summary.sampled || data.functions.exact[index] ? text : make("span", {class: "doubt", title: "not exact: what was lost may have changed it"}, text + " +");
  }

  function where(index) {
    const {file, line} = data.functions;
    return file[index] ? fileName(file[index]) + ":" + line[index] : "";
  }

  /* What a narrow page leaves out is in no other column. */
  const columns = (wide) => {
    const f = data.functions, whole = data.summary.cycles;
    const range = (i, value) => f.min[i] <= f.max[i] ? count(value) : "";
    const all = [
      {id: "share", title: "self %", width: 4.5, value: (i) => f.self[i], show: (i) => percent(f.self[i], whole)},
      {id: "self", title: "self", width: data.summary.sampled ? 11 : 7.5, value: (i) => f.self[i], show: (i) => doubt(i, count(f.self[i]) + (f.samples ? errorText(f.samples[i]) : ""))},
      {id: "total", title: "total", width: data.summary.sampled ? 11 : 7.5, value: (i) => f.total[i], show: (i) => doubt(i, count(f.total[i]) + (f.samples ? errorText(f.samples_total[i]) : ""))},
      ...data.summary.sampled ? [{id: "samples", title: "samples", width: 6.5, value: (i) => f.samples[i], show: (i) => count(f.samples[i])}] : [],
      {id: "calls", counted: true, title: "calls", width: 6.5, value: (i) => f.calls[i], show: (i) => doubt(i, count(f.calls[i]))},
      {id: "each", counted: true, title: "cyc/call", width: 6.5, value: (i) => f.calls[i] ? f.total[i] / f.calls[i] : 0,
        show: (i) => f.calls[i] ? count(Math.round(f.total[i] / f.calls[i])) : ""},
      {id: "min", title: "min", wide: true, width: 6.5, value: (i) => f.min[i], show: (i) => range(i, f.min[i])},
      {id: "max", title: "max", wide: true, width: 6.5, value: (i) => f.max[i], show: (i) => range(i, f.max[i])},
      {id: "name", title: "function", width: 0, text: true, value: (i) => f.name[i], show: (i) => f.name[i]},
      {id: "where", title: "where", wide: true, width: 12, text: true, value: where, show: where},
    ];
    return all.filter((column) => (wide || !column.wide) && !(column.counted && data.summary.sampled));
  };

  function arcs(index, mine, other) {
    const a = data.arcs, list = [];
    for (let i = 0; i < a.calls.length; i++) if (a[mine][i] === index) list.push(i);
    list.sort((left, right) => a.total[right] - a.total[left]);
    return tableOf([{title: "calls"}, {title: "total"}, {title: "function", text: true}],
      list.slice(0, 200).map((i) => [count(a.calls[i]), count(a.total[i]),
        a[other][i] < 0 ? "[unprofiled]" : make("a", {href: linkTo("functions", {function: functionName(a[other][i])})}, functionName(a[other][i]))]));
  }

  function details(side, index) {
    const f = data.functions, links = [];
    if (data.summary.costs && f.file[index])
      links.push(make("a", {href: linkTo("source", {file: f.file[index], line: f.line[index]})}, "source"), " ");
    if (data.histograms.functions[index]) links.push(make("a", {href: linkTo("histograms", {function: f.name[index]})}, "histogram"), " ");
    links.push(make("a", {href: linkTo("flame", {search: "^" + f.name[index].replace(/[^\w]/g, "\\$&") + "$"})}, "flame graph"));
    side.replaceChildren(make("h2", null, f.name[index]), make("p", null, where(index)),
      make("p", null, f.min[index] <= f.max[index] ? `shortest call ${count(f.min[index])}, longest ${count(f.max[index])} cycles` : "no whole call"),
      make("p", null, ...links),
      f.lost[index] ? make("p", {class: "doubt"}, count(f.lost[index]) + " cycles in lost calls") : "",
      make("h2", null, "Called by"), arcs(index, "callee", "caller"), make("h2", null, "Calls"), arcs(index, "caller", "callee"));
  }

  function show(root, state) {
    const f = data.functions;
    const side = make("div", {class: "side"}, make("p", null, "Choose a function to see who called it and whom it called."));
    const input = make("input", {type: "search", id: "search", placeholder: "Search (/)", "aria-label": "Search functions", value: state.search || "",
      oninput: () => { setState({search: input.value}); filter(input.value); }});
    const shown = make("span", null);
    const place = make("div", {class: "grow"});
    root.append(make("div", {class: "tools"}, input, shown), make("div", {class: "columns"}, place, side));
    table = new Table(place, columns(root.clientWidth > 1300), {rows: range(f.profiled), sort: state.sort || "self", descending: state.up !== "1", label: "Functions",
      onselect: (i) => { setState({function: f.name[i]}); details(side, i); },
      onsort: (id, descending) => setState({sort: id, up: descending ? null : 1})});
    function filter(text) {
      const test = matcher(text);
      table.setFilter(test && ((i) => test(f.name[i]) || test(f.file[i] || "")));
      let cycles = 0;
      for (const i of table.shown) cycles += f.self[i];
      shown.textContent = `${count(table.shown.length)} functions, self ${count(cycles)} ${data.summary.unit} (${percent(cycles, data.summary.cycles)});` +
        ` [unprofiled] ${count(data.summary.unprofiled_cycles)}, [lost] ${count(data.summary.lost_cycles)}`;
    }
    filter(state.search);
    const chosen = state.function ? f.name.indexOf(state.function) : -1;
    if (chosen >= 0 && chosen < f.profiled) {
      table.goTo(chosen);
      details(side, chosen);
    }
  }

  addView({id: "functions", title: "Functions", bundles: ["calls"], ready: () => true, exactness: () => data.summary.exactness, show,
    focus: () => table.rows, keys: [["arrows", "next row"], ["Page Up, Page Down, Home, End", "further rows"]]});
}
