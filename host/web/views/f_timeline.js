/* The time line. It is read in tiles: a tile is a part of the run, in as much detail as a screen can show. */
{
  const LANE = 16, GAP = 6, NAMES = 190, LEAST_VIEW = 16, TOP = 22;
  const tiles = new Map();
  let screen, from, to, up, rows, hits, drag, focus, hart;

  const limits = () => [0, data.timeline.length];

  /* ---- Tiles ---- */

  function name(level, index) {
    return `tile-${level}-${index}`;
  }

  /* The tile, or the one above that has all there is of it; undefined: it is not here yet. */
  function tileOf(level, index) {
    const t = data.timeline;
    for (let l = level, i = index; l >= 0; l--, i = Math.floor(i / 2)) {
      const tile = data[name(l, i)];
      if (tile && (l === level || tile.whole || (t.levels && !data[name(l + 1, Math.floor(index / 2 ** (level - l - 1)))]))) return tile;
    }
    if (!t.levels) ask(level, index);
    return undefined;
  }

  function ask(level, index) {
    const key = name(level, index);
    if (tiles.has(key)) return;
    tiles.set(key, need(key).then(() => { if (screen) screen.redraw(); }, (error) => say(error.message)));
  }

  /* Something to show until the tile is here. */
  function above(level, index) {
    for (let l = level, i = index; l >= 0; l--, i = Math.floor(i / 2)) if (data[name(l, i)]) return data[name(l, i)];
    return undefined;
  }

  function tilesOf() {
    const {length, places} = data.timeline, span = Math.max(1, to - from), list = new Set();
    const deepest = Math.max(0, Math.floor(Math.log2(length / places)));
    const level = Math.max(0, Math.min(deepest, Math.floor(Math.log2(length / span)) + 1)), size = length / 2 ** level;
    for (let i = Math.max(0, Math.floor(from / size)); i <= Math.min(2 ** level - 1, Math.floor(to / size)); i++) {
      const tile = tileOf(level, i) || above(level, i);
      if (tile) list.add(tile);
    }
    return [...list];
  }

  /* ---- Rows ---- */

  const order = ["harts", "threads", "locks", "values", "recording"];

  /* Threads of one name are told apart by their numbers. With both harts, a thread says on which it ran. `threads`: how many have a name. */
  function titleOf(track, threads) {
    if (track.group !== "threads") return track.name;
    return track.name + (threads.get(track.name) < 2 ? "" : ` (${track.rank})`) + (data.summary.harts && track.harts ? track.harts.length > 1 ? ", both harts" : `, hart ${track.harts[0]}` : "");
  }

  function chooseRows() {
    rows = makeRows();
    screen.canvas.setAttribute("aria-label", `Time line: w and s zoom, a and d move. Tracks: ${rows.map((track) => track.name).join("; ")}`);
  }

  /* The tracks of the chosen hart: its own, and those of threads that ran on it, too. What belongs to no hart is always there. */
  function makeRows() {
    const threads = new Map();
    for (const {group, name} of data.timeline.tracks) if (group === "threads") threads.set(name, (threads.get(name) || 0) + 1);
    const tracks = data.timeline.tracks.map((track, index) => ({...track, index, name: titleOf(track, threads)}))
      .filter((track) => hart === undefined || !track.harts || track.harts.includes(hart));
    tracks.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group) || a.rank - b.rank);
    let y = 0, group = "";
    for (const track of tracks) {
      track.title = track.group !== group;
      group = track.group;
      y += track.title ? LANE + GAP : 0;
      track.y = y;
      track.height = LANE * Math.max(track.values ? 3 : 1, Math.min(track.lanes, 64));
      y += track.height + GAP;
    }
    tracks.height = y;
    return tracks;
  }

  const words = (index) => index < 0 ? data.timeline.words[-index - 1] : functionName(index);
  const x = (cycle) => NAMES + (cycle - from) / (to - from) * (screen.width - NAMES);

  const categoryColors = {hold: "#c9a23a", wait: "#c2453a", open: "#8d5fc0", lost: "#ff2bd0", trap: "#d8663a", "resumed-trap": "#d8663a"};

  function colorFor(item) {
    const category = data.timeline.categories[item.category];
    return categoryColors[category] || colorOf(words(item.name));
  }

  /* Nothing is drawn twice in the same pixel: of several spans in one, the first. */
  function drawSpans(tile, track, y, last) {
    const list = tile.tracks[track.index].s, notes = tile.tracks[track.index].n, {context} = screen;
    for (let at = 0; at < list.length; at += 7) {
      const start = tile.from + list[at], depth = Math.min(list[at + 2], 63), left = x(start), right = x(start + list[at + 1]);
      if (right < NAMES || left > screen.width) continue;
      const begin = Math.max(NAMES, left), end = Math.min(screen.width, Math.max(right, left + 1));
      const item = {start, cycles: list[at + 1], name: list[at + 3], category: list[at + 4], number: list[at + 5], busy: list[at + 6], detail: notes[at / 7], track};
      const top = y + depth * LANE;
      hits.push({x: begin, y: top, width: Math.max(2, end - begin), height: LANE - 1, item});
      if (end - begin < 2) {
        const pixel = Math.floor(begin);
        if (last[depth] === pixel) continue;
        last[depth] = pixel;
      }
      context.fillStyle = colorFor(item);
      context.globalAlpha = item.number > 1 ? 0.35 + 0.5 * Math.min(1, item.busy / Math.max(1, item.cycles)) : 1;
      context.fillRect(begin, top, Math.max(1, end - begin - (end - begin > 3 ? 1 : 0)), LANE - 1);
      context.globalAlpha = 1;
      screen.text(item.number > 1 ? `${count(item.number)} x` : words(item.name), begin, top + LANE / 2, end - begin, "#101214");
    }
  }

  function drawInstants(tile, track, y) {
    const list = tile.tracks[track.index].m, details = tile.tracks[track.index].d, {context} = screen;
    for (let at = 0; at < list.length; at += 7) {
      const start = tile.from + list[at], left = x(start);
      if (left < NAMES || left > screen.width) continue;
      const item = {start, cycles: 0, name: list[at + 3], category: list[at + 4], number: list[at + 5], busy: 0, detail: details && details[at / 7], track, instant: true};
      context.fillStyle = data.timeline.categories[item.category] === "lost" ? categoryColors.lost : themeColor("mark");
      context.beginPath();
      context.moveTo(left, y + 7);
      context.lineTo(left - 4, y - 1);
      context.lineTo(left + 4, y - 1);
      context.fill();
      hits.push({x: left - 4, y: y - 1, width: 9, height: 9, item});
    }
  }

  function drawValues(list, track, y) {
    const {context} = screen, points = [];
    for (const tile of list) {
      const values = tile.tracks[track.index].v;
      for (let at = 0; at < values.length; at += 5) points.push({start: tile.from + values[at], number: values[at + 1], least: values[at + 2], most: values[at + 3], last: values[at + 4]});
    }
    if (!points.length) return;
    points.sort((a, b) => a.start - b.start);
    const most = points.reduce((all, point) => Math.max(all, point.most), 1), height = track.height - 2, place = (value) => y + height - value / most * height;
    context.strokeStyle = themeColor("link");
    context.lineWidth = 1;
    context.beginPath();
    points.forEach((point, i) => {
      const left = Math.max(NAMES, x(point.start)), right = Math.max(NAMES, i + 1 < points.length ? x(points[i + 1].start) : x(data.timeline.cycles));
      context.moveTo(left, place(point.least));
      context.lineTo(left, place(point.most));
      context.moveTo(left, place(point.last));
      context.lineTo(Math.min(right, screen.width), place(point.last));
      hits.push({x: left, y, width: Math.max(2, right - left), height: track.height, item: {...point, value: true, track}});
    });
    context.stroke();
  }

  /* ---- Drawing ---- */

  function drawScale() {
    const {context, width, height} = screen, span = to - from, hz = data.summary.clock_hz;
    const step = 10 ** Math.floor(Math.log10(span / 4)), jump = [1, 2, 5, 10].map((i) => i * step).find((i) => span / i <= 8) || step * 10;
    context.fillStyle = themeColor("panel");
    context.fillRect(0, 0, width, TOP - 2);
    for (let cycle = Math.ceil(from / jump) * jump; cycle <= to; cycle += jump) {
      context.fillStyle = themeColor("line");
      context.fillRect(x(cycle), TOP - 6, 1, height);
      context.fillStyle = themeColor("dim");
      context.fillText(count(Math.round(cycle)) + (hz ? " = " + time(cycle, hz) : ""), x(cycle) + 3, TOP / 2);
    }
  }

  function draw() {
    const {context, width, height} = screen, list = tilesOf();
    up = Math.max(0, Math.min(up, rows.height - height + TOP + 8));
    hits = [];
    drawScale();
    for (const track of rows) {
      const y = TOP + track.y - up;
      if (y + track.height < TOP || y - LANE > height) continue;
      const last = [];
      context.save();
      context.beginPath();
      context.rect(0, TOP, width, height);
      context.clip();
      for (const tile of list) drawSpans(tile, track, y, last);
      for (const tile of list) drawInstants(tile, track, y);
      if (track.values) drawValues(list, track, y);
      context.fillStyle = themeColor("back");
      context.fillRect(0, y - 1, NAMES - 2, track.height + GAP);
      if (track.title) {
        context.fillStyle = themeColor("dim");
        context.fillText(track.group.toUpperCase(), 6, y - LANE / 2 - 2);
      }
      screen.text(track.name, 8, y + LANE / 2, NAMES - 12, themeColor("text"));
      context.restore();
    }
    const end = x(data.timeline.cycles);
    if (end < width) {
      context.fillStyle = themeColor("dim");
      context.fillRect(Math.max(end, NAMES), TOP, 1, height);
    }
  }

  function describe(item) {
    const hz = data.summary.clock_hz, at = `\nat cycle ${count(item.start)}` + (hz ? ` = ${time(item.start, hz)}` : "");
    if (item.value) return `${item.track.name}: ${item.number > 1 ? `${count(item.number)} values, ${count(item.least)} to ${count(item.most)}, last ` : ""}${count(item.last)}${at}`;
    const category = data.timeline.categories[item.category], detail = item.detail ? "\n" + item.detail : "";
    if (item.number > 1) return `${count(item.number)} ${item.instant ? "instants" : `spans, ${count(item.busy)} of ${count(item.cycles)} cycles`}, the longest: ${words(item.name)}${at}\nzoom in to see each`;
    return `${words(item.name)} (${category})${item.instant ? "" : `\n${count(item.cycles)} cycles${hz ? " = " + time(item.cycles, hz) : ""}`}${at}${detail}\n${item.track.name}`;
  }

  function at(event) {
    const box = screen.canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    return px < NAMES || py < TOP ? undefined : hits.findLast((hit) => px >= hit.x && px < hit.x + hit.width && py >= hit.y && py < hit.y + hit.height);
  }

  /* ---- Moving ---- */

  function moveTo(start, end) {
    const [low, high] = limits(), span = Math.max(LEAST_VIEW, Math.min(end - start, high - low));
    from = Math.max(low, Math.min(start, high - span));
    to = from + span;
    setState({from: Math.floor(from), to: Math.ceil(to)});
    const depth = data.timeline.levels && (to - from) < data.timeline.length / 2 ** data.timeline.levels ?
      ". These files have no more detail: gnomon ui with the recording has." : "";
    say(`cycles ${count(Math.floor(from))} to ${count(Math.ceil(to))}, ${count(Math.ceil(to - from))} cycles${depth}`);
    screen.redraw();
  }

  function zoom(factor, middle = (from + to) / 2) {
    moveTo(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }

  function key(event) {
    const span = to - from;
    if (event.key === "w" || event.key === "+") zoom(0.5);
    else if (event.key === "s" || event.key === "-") zoom(2);
    else if (event.key === "a" || event.key === "ArrowLeft") moveTo(from - span / 4, to - span / 4);
    else if (event.key === "d" || event.key === "ArrowRight") moveTo(from + span / 4, to + span / 4);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") { up += event.key === "ArrowDown" ? 3 * LANE : -3 * LANE; screen.redraw(); }
    else if (event.key === "Home") moveTo(0, data.timeline.cycles);
    else if (event.key === "Enter" && focus) moveTo(focus.start - focus.cycles * 0.1, focus.start + Math.max(LEAST_VIEW, focus.cycles) * 1.1);
    else return false;
    return true;
  }

  function listen(place) {
    const {canvas} = screen;
    place.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      if (event.ctrlKey || event.shiftKey) zoom((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, from + (event.clientX - box.left - NAMES) / (screen.width - NAMES) * (to - from));
      else { up += event.deltaY; screen.redraw(); }
    }, {passive: false});
    canvas.addEventListener("pointerdown", (event) => {
      drag = {x: event.clientX, y: event.clientY, from, to, up, moved: false};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) {
        const hit = at(event);
        showTip(hit ? describe(hit.item) : "", event.clientX, event.clientY);
        return;
      }
      drag.moved ||= Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) > 4;
      if (!drag.moved) return;
      const shift = (event.clientX - drag.x) / (screen.width - NAMES) * (drag.to - drag.from);
      up = drag.up - (event.clientY - drag.y);
      moveTo(drag.from - shift, drag.to - shift);
    });
    canvas.addEventListener("pointerup", (event) => {
      const hit = drag && !drag.moved && at(event);
      drag = null;
      if (!hit) return;
      focus = hit.item;
      say(describe(focus).replaceAll("\n", ", "));
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = at(event);
      if (hit && hit.item.cycles) moveTo(hit.item.start - hit.item.cycles * 0.1, hit.item.start + hit.item.cycles * 1.1);
    });
    canvas.addEventListener("mouseleave", () => showTip(""));
  }

  function chooseHart() {
    const choice = make("select", {id: "hart", "aria-label": "Tracks of which harts", onchange: () => {
      hart = choice.value === "" ? undefined : Number(choice.value);
      setState({hart: hart === undefined ? null : hart});
      chooseRows();
      screen.redraw();
    }}, ...[["", "both harts"], ["0", "hart 0"], ["1", "hart 1"]].map(([value, text]) => make("option", {value, selected: value === (hart === undefined ? "" : String(hart)) ? "" : null}, text)));
    return choice;
  }

  function show(root, state) {
    hart = data.summary.harts && ["0", "1"].includes(state.hart) ? Number(state.hart) : undefined;
    up = 0;
    from = state.from === undefined ? 0 : Number(state.from) || 0;
    to = state.to === undefined ? data.timeline.cycles : Number(state.to) || data.timeline.cycles;
    const place = make("div", {class: "fill"});
    const button = (text, action) => make("button", {type: "button", onclick: action}, text);
    root.append(make("div", {class: "tools"}, button("Zoom in (w)", () => zoom(0.5)), button("Zoom out (s)", () => zoom(2)),
      button("Left (a)", () => moveTo(from - (to - from) / 4, to - (to - from) / 4)), button("Right (d)", () => moveTo(from + (to - from) / 4, to + (to - from) / 4)),
      button("Whole run (Home)", () => moveTo(0, data.timeline.cycles)),
      data.summary.harts ? chooseHart() : null,
      make("span", null, "Ctrl + wheel zooms, dragging moves, a double click zooms to a span"),
      data.summary.full_paths ? null : make("span", null, "Function records: calls have no place in time")), place);
    screen = new Screen(place, "", draw);
    chooseRows();
    listen(place);
    moveTo(from, to);
  }

  addView({id: "timeline", title: "Time line", bundles: ["timeline"], show, key, exactness: () => data.summary.exactness, redraw: () => screen.redraw(),
    ready: () => data.summary.timeline || note(data.summary.live ? "A running program has no time line: record it." : data.summary.sampled ? "Samples have no time line." : "The program kept records itself: they have no time line."),
    keys: [["w, s or +, -", "zoom"], ["a, d or left, right", "move in time"], ["up, down", "further tracks"], ["Home", "whole run"], ["Enter", "zoom to the chosen span"]]});
}
