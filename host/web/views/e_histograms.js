/* How long calls were: bars of one function, and the spectrum of all: a row for each function, hot where its cycles are. */
{
  const CELL = 16, NAMES = 220;
  let rows, screen, first, spectrum, chosen;

  function bucketsOf(index) {
    const list = data.histograms.functions[index], buckets = [];
    for (let at = 0; at < list.length; at += 3) buckets.push({bucket: list[at], calls: list[at + 1], cycles: list[at + 2]});
    return buckets;
  }

  function rangeText(bucket) {
    const from = data.histograms.from;
    return bucket + 1 < from.length ? `${count(from[bucket])} to ${count(from[bucket + 1] - 1)} cycles` : `${count(from[bucket])} cycles and more`;
  }

  /* Devices that count no cycles by bucket: calls alone. */
  function weight(bucket) {
    return bucket.cycles >= 0 ? bucket.cycles : bucket.calls;
  }

  function describe(index, bucket) {
    return `${functionName(index)}\n${rangeText(bucket.bucket)}\n${count(bucket.calls)} calls` +
      (bucket.cycles >= 0 ? `\n${count(bucket.cycles)} cycles in them` : "");
  }

  function bars(side, index) {
    const buckets = bucketsOf(index), f = data.functions;
    const calls = Math.max(...buckets.map((bucket) => bucket.calls)), cycles = Math.max(...buckets.map((bucket) => bucket.cycles), 1);
    const bar = (value, most, color) => styled(make("i"), {display: "inline-block", height: "12px", background: color, width: 5 * value / most + "em"});
    side.replaceChildren(make("h2", null, f.name[index]),
      make("p", null, `${count(f.calls[index])} calls, total ${count(f.total[index])} cycles` + (f.min[index] <= f.max[index] ? `, shortest ${count(f.min[index])}, longest ${count(f.max[index])}` : "")),
      tableOf([{title: "length", text: true}, {title: "calls"}, {title: "", text: true}, {title: "cycles"}, {title: "", text: true}], buckets.map((bucket) =>
        ["from " + count(data.histograms.from[bucket.bucket]), count(bucket.calls), bar(bucket.calls, calls, "#3f8fb5"),
          bucket.cycles >= 0 ? count(bucket.cycles) : "", bucket.cycles >= 0 ? bar(bucket.cycles, cycles, "#d8663a") : ""])));
  }

  function draw() {
    const {context, width, height} = screen, from = data.histograms.from, cell = Math.max(4, (width - NAMES) / from.length);
    const most = Math.max(...rows.slice(0, 1).map((row) => row.most), 1);
    const lines = Math.floor(height / CELL) - 1;
    first = Math.max(0, Math.min(first, rows.length - lines));
    context.fillStyle = themeColor("dim");
    for (let i = 0; i < from.length; i += 4) context.fillText("2^" + i, NAMES + i * cell, CELL / 2);
    rows.slice(first, first + lines).forEach((row, line) => {
      const y = (line + 1) * CELL;
      if (row.index === chosen) {
        context.fillStyle = themeColor("select");
        context.fillRect(0, y, width, CELL);
      }
      screen.text(functionName(row.index), 4, y + CELL / 2, NAMES - 8, themeColor("text"));
      for (const bucket of row.buckets) {
        context.fillStyle = heat(1 + Math.log10(Math.max(1e-4, weight(bucket) / most)) / 4);
        context.fillRect(NAMES + bucket.bucket * cell, y + 1, cell - 1, CELL - 2);
      }
    });
  }

  function at(event) {
    const box = screen.canvas.getBoundingClientRect(), cell = Math.max(4, (screen.width - NAMES) / data.histograms.from.length);
    const row = rows[first + Math.floor((event.clientY - box.top) / CELL) - 1], place = Math.floor((event.clientX - box.left - NAMES) / cell);
    return {row, bucket: row && row.buckets.find((bucket) => bucket.bucket === place)};
  }

  function choose(side, index) {
    chosen = index;
    setState({function: functionName(index)});
    say(functionName(index) + ": " + bucketsOf(index).map((bucket) => `${rangeText(bucket.bucket)}: ${count(bucket.calls)} calls`).join(", "));
    bars(side, index);
    screen.redraw();
  }

  function step(by) {
    const place = rows.findIndex((row) => row.index === chosen), next = Math.max(0, Math.min(rows.length - 1, place + by));
    const lines = Math.floor(screen.height / CELL) - 1;
    if (next < first) first = next;
    if (next >= first + lines) first = next - lines + 1;
    choose(spectrum.side, rows[next].index);
  }

  function key(event) {
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20};
    if (!(event.key in steps)) return false;
    step(steps[event.key]);
    return true;
  }

  function show(root, state) {
    rows = Object.keys(data.histograms.functions).map((text) => {
      const index = Number(text), buckets = bucketsOf(index);
      return {index, buckets, sum: buckets.reduce((all, bucket) => all + weight(bucket), 0), most: Math.max(...buckets.map(weight), 0)};
    }).filter((row) => row.buckets.length).sort((a, b) => b.sum - a.sum);
    first = 0;
    const side = make("div", {class: "side"}), place = make("div", {class: "fill"});
    spectrum = {side};
    const most = rows.reduce((all, row) => Math.max(all, row.most), 0);
    for (const row of rows) row.most = most;
    root.append(make("div", {class: "legend"}, make("span", null, "Columns: lengths of calls, powers of two cycles. Colour: cycles of these calls, with all that they called:"),
      ...[["10,000th of the most", 0], ["100th", 0.5], ["most", 1]].map(([text, share]) => make("span", null, styled(make("i"), {background: heat(share)}), text))),
      make("div", {class: "columns"}, make("div", {class: "grow"}, place), side));
    screen = new Screen(place, "Spectrum of call lengths: arrow keys choose a function", draw);
    screen.canvas.addEventListener("mousemove", (event) => {
      const {row, bucket} = at(event);
      showTip(bucket ? describe(row.index, bucket) : "", event.clientX, event.clientY);
    });
    screen.canvas.addEventListener("mouseleave", () => showTip(""));
    screen.canvas.addEventListener("click", (event) => { const {row} = at(event); if (row) choose(side, row.index); });
    place.addEventListener("wheel", (event) => { event.preventDefault(); first += Math.sign(event.deltaY) * 3; first = Math.max(0, first); screen.redraw(); }, {passive: false});
    const wanted = rows.find((row) => functionName(row.index) === state.function) || rows[0];
    if (wanted) choose(side, wanted.index);
  }

  addView({id: "histograms", title: "Histograms", bundles: ["calls"], show, key, exactness: () => data.summary.exactness, redraw: () => screen.redraw(),
    ready: () => data.summary.histograms || note("The device kept no lengths of calls. Record with ", make("code", null, "--events"), "."),
    keys: [["arrows, Page Up, Page Down", "next function"]]});
}
