/* The spectrum: a row for each function, a cell for each power of two. Colour: from cold to hot by cost; intensity: how
 * many calls. Only the rows on the screen are drawn. */

/* From cold to hot with nearly one lightness, so that only the number of calls makes a cell strong or pale; the hues
 * differ along blue and yellow, which people who confuse red and green see. */
const spectrumStops = [[32, 112, 200], [142, 112, 150], [222, 92, 24]];
function spectrumColor(share) {
  const place = 2 * Math.max(0, Math.min(1, share)), stop = Math.min(1, Math.floor(place));
  return spectrumStops[stop].map((value, i) => Math.round(value + (spectrumStops[stop + 1][i] - value) * (place - stop)));
}

/* Of `calls`, where the strongest cell has `most`: each doubling is the same step. */
function spectrumIntensity(calls, most) {
  return 0.3 + 0.7 * Math.log2(Number(calls)) / Math.max(1, Math.log2(Number(most)));
}

{
  const CELL = 16;
  let all, rows, screen, first, chosen, bucket, side, scale, link, builds;

  const orders = {sum: (row) => row.sum, mean: (row) => row.mean, count: (row) => row.count, most: (row) => row.most === null ? -1n : row.most, name: null};

  function sorted(name) {
    const value = orders[name];
    return all.slice().sort(value ? (a, b) => (value(a) < value(b) ? 1 : value(a) > value(b) ? -1 : a.name < b.name ? -1 : 1) : (a, b) => (a.name < b.name ? -1 : 1));
  }

  function makeScale() {
    const buckets = all.flatMap((row) => row.buckets), logs = buckets.map((one) => one.log2);
    scale = {from: logs.reduce((least, one) => Math.min(least, one), 31), to: logs.reduce((most, one) => Math.max(most, one), 0),
      most: largest(buckets.map((one) => one.count)), mostSum: largest(buckets.map((one) => one.sum))};
    scale.cells = Math.max(1, scale.to - scale.from + 1);
  }

  const names = () => Math.min(220, screen.width * 0.4);
  const cellWidth = () => Math.max(4, (screen.width - names()) / scale.cells);
  const lines = () => Math.max(1, Math.floor(screen.height / CELL) - 1);

  /* The share between cold and hot. By sum: a step for each power of ten, four below the most. */
  function heatOf(one) {
    if (link.color === "sum") return scale.mostSum ? 1 + Math.log10(Math.max(1e-4, Number(one.sum) / Number(scale.mostSum))) / 4 : 0;
    return scale.cells > 1 ? (one.log2 - scale.from) / (scale.cells - 1) : 0;
  }

  function draw() {
    const {context, width} = screen, cell = cellWidth(), left = names();
    first = Math.max(0, Math.min(first, rows.length - lines()));
    context.fillStyle = themeColor("dim");
    for (let log2 = scale.from; log2 <= scale.to; log2 += Math.max(1, Math.ceil(34 / cell))) context.fillText("2^" + log2, left + (log2 - scale.from) * cell, CELL / 2);
    rows.slice(first, first + lines()).forEach((row, line) => {
      const y = (line + 1) * CELL;
      if (row === chosen) {
        context.fillStyle = themeColor("select");
        context.fillRect(0, y, width, CELL);
      }
      screen.text((row.exact ? "" : "+ ") + row.name + (builds ? " " + shortBuild(row.build) : ""), 4, y + CELL / 2, left - 8, themeColor(row.exact ? "text" : "bad"));
      for (const one of row.buckets) {
        context.globalAlpha = 1;
        context.fillStyle = themeColor("back");
        context.fillRect(left + (one.log2 - scale.from) * cell, y + 1, cell - 1, CELL - 2);
        context.globalAlpha = spectrumIntensity(one.count, scale.most);
        context.fillStyle = `rgb(${spectrumColor(heatOf(one)).join(" ")})`;
        context.fillRect(left + (one.log2 - scale.from) * cell, y + 1, cell - 1, CELL - 2);
      }
      context.globalAlpha = 1;
      if (row !== chosen || bucket === null) return;
      context.strokeStyle = themeColor("text");
      context.strokeRect(left + (bucket - scale.from) * cell - 0.5, y + 0.5, cell, CELL - 1);
    });
  }

  function describe(row, one) {
    return `${row.name}\n${bucketRange(one.log2)} ${clean(row.cost)}: ${bound(one.count)} ${callsOf(row.cost)}, ${(100 * shareOf(one.count, row.count)).toFixed(2)} %` +
      (row.sums ? `\nsum ${bound(one.sum)}, mean ${sixDigits(meanOf(one))}` : "") + (row.exact ? "" : "\n" + doubtText(row));
  }

  function at(event) {
    const box = screen.canvas.getBoundingClientRect(), row = rows[first + Math.floor((event.clientY - box.top) / CELL) - 1];
    const log2 = scale.from + Math.floor((event.clientX - box.left - names()) / cellWidth());
    return {row, one: row && row.buckets.find((cell) => cell.log2 === log2)};
  }

  function choose(row, log2 = null) {
    const one = row.buckets.find((cell) => cell.log2 === log2);
    if (row !== chosen) side.replaceChildren(...card(row, link));
    chosen = row;
    bucket = one ? log2 : null;
    setState(linkOfRow(row));
    say(one ? describe(row, one).replaceAll("\n", ", ") : `${row.name}: mean ${figure.mean(row)}, ${figure.count(row)} ${callsOf(row.cost)}`);
    const place = rows.indexOf(row);
    if (place < first) first = place;
    if (place >= first + lines()) first = place - lines() + 1;
    screen.redraw();
  }

  function step(by) {
    choose(rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(chosen) + by))], bucket);
  }

  /* The next cell of the row that has calls. */
  function stepCell(by) {
    const logs = chosen.buckets.map((one) => one.log2), place = logs.indexOf(bucket);
    choose(chosen, logs[place < 0 ? (by > 0 ? 0 : logs.length - 1) : Math.max(0, Math.min(logs.length - 1, place + by))]);
  }

  function key(event) {
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: lines(), PageUp: -lines(), Home: -Infinity, End: Infinity};
    if (!rows.length || !chosen) return false;
    if (event.key in steps) step(steps[event.key]);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") stepCell(event.key === "ArrowRight" ? 1 : -1);
    else if (event.key === "Enter") goTo("drill", {...choiceOf(link), ...linkOfRow(chosen)});
    else return false;
    return true;
  }

  function legend() {
    const box = (color) => styled(make("i"), {background: color}), mixed = (alpha) => `rgb(${spectrumStops[1].join(" ")} / ${alpha})`;
    const heats = link.color === "sum" ? [["10,000th of the largest sum", 0], ["100th", 0.5], ["largest", 1]] : [["cheap", 0], ["between", 0.5], ["costly", 1]];
    return make("div", {class: "legend"}, make("span", null, "Colour:"), ...heats.map(([text, share]) => make("span", null, box(`rgb(${spectrumColor(share).join(" ")})`), text)),
      make("span", null, `Intensity, ${callsOf(profileOf("api").costOf(link))} in the cell:`), make("span", null, box(mixed(spectrumIntensity(1n, scale.most))), "1"),
      make("span", null, box(mixed(1)), bound(scale.most)), make("span", null, "Columns: powers of two"));
  }

  function pick(id, title, values) {
    const select = make("select", {id, onchange: () => goTo("spectrum", {...link, [id]: select.value})}, ...values.map(([value, text]) => make("option", {value}, text)));
    select.value = link[id] || values[0][0];
    return make("label", null, title + " ", select);
  }

  function find(text) {
    const test = rowTest(text), list = sorted(link.order in orders ? link.order : "sum");
    rows = test ? list.filter(test) : list;
    first = 0;
    byId("found").textContent = `${count(rows.length)} of ${count(all.length)} functions`;
    screen.redraw();
  }

  function show(root, state, profile) {
    link = state;
    all = profile.list(state).filter((row) => row.buckets.length);
    builds = profile.values("build", state).length > 1;
    chosen = null;
    bucket = null;
    first = 0;
    side = make("div", {class: "side broad"});
    makeScale();
    const place = make("div", {class: "fill"});
    root.append(make("div", {class: "tools"}, searchBox(state, find), pick("order", "order", [["sum", "sum"], ["mean", "mean"], ["count", callsOf(profile.costOf(state))], ["most", "most"], ["name", "name"]]),
      pick("color", "colour", [["cost", "cost of a call"], ["sum", "sum of the cell"]]), ...choices("spectrum", state, profile), make("span", {id: "found", role: "status"})),
    legend(), make("div", {class: "columns under"}, make("div", {class: "grow"}, place), side));
    screen = new Screen(place, "Spectrum of costs: arrow keys choose function and cell", draw);
    screen.canvas.addEventListener("mousemove", (event) => {
      const {row, one} = at(event);
      showTip(one ? describe(row, one) : "", event.clientX, event.clientY);
    });
    screen.canvas.addEventListener("mouseleave", () => showTip(""));
    screen.canvas.addEventListener("click", (event) => { const {row, one} = at(event); if (row) choose(row, one ? one.log2 : null); });
    place.addEventListener("wheel", (event) => { event.preventDefault(); first = Math.max(0, first + Math.sign(event.deltaY) * 3); screen.redraw(); }, {passive: false});
    find(state.search);
    const wanted = rowOfLink(rows, state) || rows[0];
    if (wanted) choose(wanted);
  }

  addApiView({id: "spectrum", title: "Spectrum", show, key, redraw: () => screen.redraw(),
    keys: [["up, down, Page Up, Page Down, Home, End", "function"], ["left, right", "cell"], ["Enter", "the function's sources"]]});
}
