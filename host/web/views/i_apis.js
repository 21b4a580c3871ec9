/* API profiles: what the calls of each function cost. */
{
  let table;

  /* What a narrow page leaves out is in the card beside. */
  function columns(rows, profile, width) {
    const number = (id, title, gives = 0) => ({...numberColumn(rows, id, title), gives});
    const text = (id, title, em, gives, value, show = value) => ({id, title, width: em, gives, text: true, value: (i) => value(rows[i]), show: (i) => show(rows[i])});
    const builds = profile.values("build").length > 1;
    return fitting([
      number("count", callsOf(rows.length ? rows[0].cost : ""), 1), number("mean", "mean"), number("deviation", "deviation", 4),
      number("least", "least", 5), number("most", "most", 3), number("sum", "sum"), text("name", "function", 0, 0, (row) => row.name, markedName),
      text("where", "where", 11, 6, where), ...builds ? [text("build", "build", 5.5, 2, (row) => shortBuild(row.build))] : [],
    ], width);
  }

  function show(root, state, profile) {
    const rows = profile.list(state), side = make("div", {class: "side broad"}, make("p", null, "Choose a function to see how its costs are distributed."));
    const shown = make("span", {role: "status"}), place = make("div", {class: "grow"});
    function filter(text) {
      const test = rowTest(text);
      table.setFilter(test && ((i) => test(rows[i])));
      shown.textContent = `${count(table.shown.length)} of ${count(rows.length)} functions`;
    }
    root.append(make("div", {class: "tools"}, searchBox(state, filter), ...choices("apis", state, profile), shown), make("div", {class: "columns under"}, place, side));
    table = new Table(place, columns(rows, profile, place.clientWidth), {rows: range(rows.length), sort: state.sort || "sum", descending: state.up !== "1", label: "Functions",
      onselect: (i) => { setState(linkOfRow(rows[i])); side.replaceChildren(...card(rows[i], state)); },
      onopen: (i) => goTo("drill", {...choiceOf(state), ...linkOfRow(rows[i])}),
      onsort: (id, descending) => setState({sort: id, up: descending ? null : 1})});
    filter(state.search);
    const chosen = rowOfLink(rows, state);
    if (!chosen) return;
    table.goTo(rows.indexOf(chosen));
    side.replaceChildren(...card(chosen, state));
  }

  addApiView({id: "apis", title: "APIs", show, focus: () => table.rows, keys: [["arrows, Page Up, Page Down, Home, End", "function"], ["Enter", "its sources"]]});
}
