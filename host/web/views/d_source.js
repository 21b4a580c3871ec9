/* Source with heat: each line with its cycles and what they went to. */
{
  let files, table;

  function readFiles() {
    const stride = 2 + data.costs.causes.length;
    return data.sources.map((source, index) => {
      const lines = new Map();
      let whole = 0;
      for (let at = 0; at < source.lines.length; at += stride) {
        const line = source.lines[at], causes = source.lines.slice(at + 2, at + stride), before = lines.get(line);
        whole += causes.reduce((all, cycles) => all + cycles, 0);
        if (before) {
          causes.forEach((cycles, i) => { before.causes[i] += cycles; });
          before.functions.add(source.lines[at + 1]);
        } else {
          lines.set(line, {causes, functions: new Set([source.lines[at + 1]])});
        }
      }
      let hottest = 0;
      for (const line of lines.values()) {
        line.cycles = line.causes.reduce((all, cycles) => all + cycles, 0);
        hottest = Math.max(hottest, line.cycles);
      }
      return {index, path: source.path, text: source.text, lines, whole, hottest};
    }).sort((a, b) => b.whole - a.whole);
  }

  function describe(line) {
    return [...[...line.functions].map((index) => functionName(index)), ...line.causes.map((cycles, cause) => [cycles, cause])
      .filter(([cycles]) => cycles).sort((a, b) => b[0] - a[0])
      .map(([cycles, cause]) => `${data.costs.causes[cause]}  ${count(cycles)}  ${percent(cycles, line.cycles)}`)].join("\n");
  }

  function heatOf(file, line) {
    const cell = make("span", null, line ? count(line.cycles) : "");
    if (!line) return cell;
    cell.addEventListener("mousemove", (event) => showTip(describe(line), event.clientX, event.clientY));
    cell.addEventListener("mouseleave", () => showTip(""));
    return styled(cell, {background: heat(line.cycles / file.hottest), color: "#101214", padding: "0 4px", "border-radius": "2px"});
  }

  function columns(file, whole) {
    const at = (i) => file.lines.get(i);
    return [
      {id: "cycles", title: "cycles", width: 9, show: (i) => heatOf(file, at(i))},
      {id: "share", title: "of run", width: 5, show: (i) => at(i) ? percent(at(i).cycles, whole) : ""},
      {id: "times", title: "instructions", width: 8, show: (i) => at(i) ? count(at(i).causes[0]) : ""},
      {id: "line", title: "line", width: 4, show: (i) => i ? String(i) : ""},
      {id: "text", title: file.path || "instructions without a known line", width: 0, text: true, show: (i) => file.text && i ? file.text[i - 1] || "" : ""},
    ];
  }

  function showFile(place, file, line) {
    const whole = data.costs.whole.reduce((all, cycles) => all + cycles, 0);
    const rows = file.text ? range(file.text.length + 1).subarray(1) : Uint32Array.from([...file.lines.keys()].sort((a, b) => a - b));
    place.replaceChildren();
    if (!file.text) place.append(make("div", {class: "tools"}, file.path ? "The text of this file is not in the data." : "Instructions without debug information."));
    table = new Table(place, columns(file, whole), {rows, code: true, label: "Source lines", onselect: (i) => {
      setState({line: i});
      if (file.lines.get(i)) say(`${fileName(file.path)}:${i}: ${count(file.lines.get(i).cycles)} cycles: ` + describe(file.lines.get(i)).replaceAll("\n", ", "));
    }});
    const hottest = [...file.lines].reduce((best, one) => one[1].cycles > best[1].cycles ? one : best)[0];
    table.goTo(line || hottest);
  }

  function show(root, state) {
    files ||= readFiles();
    const side = make("div", {class: "side first"}), place = make("div", {class: "grow"});
    const whole = data.costs.whole.reduce((all, cycles) => all + cycles, 0);
    root.append(make("div", {class: "columns"}, side, place));
    const chosen = files.find((file) => file.path === state.file) || files[0];
    side.append(make("h2", null, "Files"), tableOf([{title: "cycles"}, {title: "of run"}, {title: "file", text: true}], files.map((file) =>
      [count(file.whole), percent(file.whole, whole), make("a", {href: linkTo("source", {file: file.path || ""}), title: file.path || "",
        "aria-current": file === chosen ? "true" : null}, fileName(file.path) || "[no line]")])));
    if (chosen) showFile(place, chosen, Number(state.line));
  }

  addView({id: "source", title: "Source", bundles: ["sources"], show, exactness: () => data.costs.exactness, focus: () => table && table.rows,
    ready: () => data.summary.costs || note("The recording has no cycles of source lines. Record with ", make("code", null, "gnomon record --cpi all"), "."),
    keys: [["arrows, Page Up, Page Down", "further lines"]]});
}
