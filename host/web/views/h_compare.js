/* What changed between two recordings, by function. */
{
  let table;

  function change(old, now) {
    const value = now - old;
    return make("span", {class: value > 0 ? "plus" : value < 0 ? "minus" : null}, signed(value));
  }

  /* What a narrow page leaves out is the longest call. */
  function columns(wide) {
    const c = data.compare, pair = (figure, title, width) => [
      {id: figure, title: title + ", was", width, value: (i) => c["old_" + figure][i], show: (i) => count(c["old_" + figure][i])},
      {id: figure + "_now", title: "now", width, value: (i) => c["new_" + figure][i], show: (i) => count(c["new_" + figure][i])},
    ];
    const by = (i) => c.new_self[i] - c.old_self[i];
    return [
      {id: "size", title: "change", width: 8, value: (i) => Math.abs(by(i)), show: (i) => change(c.old_self[i], c.new_self[i])},
      {id: "share", title: "", width: 6, show: (i) => c.old_self[i] ? (by(i) > 0 ? "+" : "") + percent(by(i), c.old_self[i]) : by(i) ? "new" : ""},
      {id: "name", title: "function", width: 0, text: true, value: (i) => c.name[i], show: (i) =>
        c.exact[i] ? c.name[i] : make("span", {class: "doubt", title: "not exact: what was lost may have changed it"}, c.name[i] + " +")},
      ...pair("self", "self", 7), ...pair("total", "total", 7), ...pair("calls", "calls", 6), ...pair("max", "longest", 6.5),
    ].filter((column) => wide || !column.id.startsWith("max"));
  }

  function show(root, state) {
    const c = data.compare, sides = data.compared;
    const all = range(c.name.length), differ = all.filter((i) => ["self", "total", "calls", "max"].some((figure) => c["old_" + figure][i] !== c["new_" + figure][i]));
    const input = make("input", {type: "search", id: "search", placeholder: "Search (/)", "aria-label": "Search functions", value: state.search || "",
      oninput: () => { setState({search: input.value}); filter(input.value); }});
    const place = make("div", {class: "grow"});
    root.append(make("div", {class: "tools"}, input, make("span", null,
      `${sides.old.recording}: ${count(sides.old.cycles)} cycles; ${sides.new.recording}: ${count(sides.new.cycles)} cycles: `,
      change(sides.old.cycles, sides.new.cycles), ` (${percent(sides.new.cycles - sides.old.cycles, sides.old.cycles, 2)}), ` +
      `${count(differ.length)} of ${count(all.length)} rows differ; ${sides.same_build ? "the same build" : "two builds"}`)), place);
    table = new Table(place, columns(root.clientWidth > 1150), {rows: differ, sort: state.sort || "size", descending: state.up !== "1", label: "Changes",
      onselect: (i) => say(`${c.name[i]}: self ${signed(c.new_self[i] - c.old_self[i])} cycles`),
      onsort: (id, descending) => setState({sort: id, up: descending ? null : 1})});
    function filter(text) {
      const test = matcher(text);
      table.setFilter(test && ((i) => test(c.name[i])));
    }
    filter(state.search);
  }

  /* Both must be exact. */
  function exactness() {
    const {old, new: now} = data.compared, both = (key) => old.exactness[key] && now.exactness[key];
    return {exact: both("exact"), complete: both("complete"), phrase: `before: ${old.exactness.phrase}; now: ${now.exactness.phrase}`,
      reasons: [...old.exactness.reasons, ...now.exactness.reasons]};
  }

  addView({id: "compare", title: "Compare", bundles: [], show, exactness, focus: () => table && table.rows,
    ready: () => data.summary.compare || note("There is no second recording: ", make("code", null, "gnomon ui NEW.gnt OLD.gnt"), "."),
    keys: [["arrows", "next row"]]});
}
