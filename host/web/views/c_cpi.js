/* CPI stacks: what each cycle went to, of the run and of each function. */
{
  let share = true, order;

  function causesOf(index) {
    return data.costs.functions[index];
  }

  function sum(list) {
    return list.reduce((all, cycles) => all + cycles, 0);
  }

  function stack(list, whole) {
    return make("div", {class: "bar"}, ...list.map((cycles, cause) => cycles ?
      styled(make("i", {title: `${data.costs.causes[cause]}: ${count(cycles)} cycles, ${percent(cycles, sum(list), 2)}`}),
        {width: 100 * cycles / whole + "%", background: causeColors[cause]}) : null));
  }

  /* What is under the pointer, one cause a line. */
  function describe(name, list) {
    const whole = sum(list);
    return [`${name}: ${count(whole)} cycles`, ...list.map((cycles, cause) => [cycles, cause]).filter(([cycles]) => cycles)
      .sort((a, b) => b[0] - a[0]).map(([cycles, cause]) => `${data.costs.causes[cause]}  ${count(cycles)}  ${percent(cycles, whole, 2)}`)].join("\n");
  }

  function columns(most) {
    const cycles = (i) => order.get(i);
    const instructions = (i) => causesOf(i)[0];
    return [
      {id: "cycles", title: "cycles", width: 9, value: cycles, show: (i) => count(cycles(i))},
      {id: "share", title: "of run", width: 5, value: cycles, show: (i) => percent(cycles(i), sum(data.costs.whole))},
      {id: "retired", title: "instructions", width: 9, value: instructions, show: (i) => count(instructions(i))},
      {id: "cpi", title: "CPI", width: 5, value: (i) => instructions(i) ? cycles(i) / instructions(i) : 0,
        show: (i) => instructions(i) ? (cycles(i) / instructions(i)).toFixed(3) : ""},
      {id: "name", title: "function, without what it called", width: 20, text: true, value: (i) => functionName(i), show: (i) => functionName(i)},
      {id: "stack", title: "causes", width: 0, text: true,
        show: (i) => make("div", {onmousemove: (event) => showTip(describe(functionName(i), causesOf(i)), event.clientX, event.clientY),
          onmouseleave: () => showTip("")}, stack(causesOf(i), share ? cycles(i) : most))},
    ];
  }

  function show(root, state) {
    const c = data.costs, rows = Uint32Array.from(Object.keys(c.functions), Number);
    order = new Map([...rows].map((i) => [i, sum(causesOf(i))]));
    share = state.absolute !== "1";
    const whole = sum(c.whole), most = Math.max(...order.values(), 1);
    const toggle = make("button", {type: "button", "aria-pressed": String(share), onclick: () => {
      share = !share;
      toggle.setAttribute("aria-pressed", String(share));
      setState({absolute: share ? null : 1});
      table.draw();
    }}, "Bars as shares");
    const used = c.causes.map((name, cause) => [name, cause]).filter(([, cause]) => c.whole[cause]);
    const head = make("div", {class: "tools"}, toggle, make("span", null, `Run: ${count(whole)} cycles, ${count(c.whole[0])} instructions` +
      (c.whole[0] ? `, CPI ${(whole / c.whole[0]).toFixed(3)}` : "") +
      `; not counted by instruction ${count(sum(c.not_counted))}, reset and debug mode ${count(sum(c.unattributed))}`));
    const bar = make("div", {class: "tools"}, styled(make("div", {onmousemove: (event) => showTip(describe("Run", c.whole), event.clientX, event.clientY),
      onmouseleave: () => showTip("")}, stack(c.whole, whole)), {flex: "1"}));
    const legend = make("div", {class: "legend", id: "causes"}, ...used.map(([name, cause]) =>
      make("span", null, styled(make("i"), {background: causeColors[cause]}), `${name} ${percent(c.whole[cause], whole)}`)));
    const place = make("div", {class: "grow"});
    root.append(head, bar, legend, place);
    const table = new Table(place, columns(most), {rows, sort: state.sort || "cycles", descending: state.up !== "1", label: "Functions by cycles",
      onselect: (i) => { setState({function: functionName(i)}); say(describe(functionName(i), causesOf(i)).replaceAll("\n", ", ")); },
      onsort: (id, descending) => setState({sort: id, up: descending ? null : 1})});
    const chosen = [...rows].find((i) => functionName(i) === state.function);
    if (chosen !== undefined) table.goTo(chosen);
  }

  addView({id: "cpi", title: "CPI stacks", bundles: [], show, exactness: () => data.costs.exactness,
    ready: () => data.summary.costs || note("The recording does not say what each instruction's cycles went to. Record with ",
      make("code", null, "gnomon record --cpi all"), "."),
    keys: [["arrows", "next row"]]});
}
