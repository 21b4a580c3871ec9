/* Flame graph and icicle: call paths, as wide as their cycles. Only frames that are wide enough to be seen are drawn, so
 * the number of paths does not matter. */
{
  const HEIGHT = 18, LEAST = 0.5, HOT = "#e8743c";
  let tree = null, screen, shown, flame, test, found, stack;

  /* Paths as a tree with sums. Negative numbers in `children` lists do not occur: what is not in a function is drawn as
   * a frame of its own behind the children. */
  function makeTree() {
    const {count: size, parent, self, lost} = data.paths;
    const total = new Float64Array(size + 1), first = new Uint32Array(size + 2), lists = new Uint32Array(size), depth = new Uint32Array(size + 1);
    const samples = data.summary.sampled ? Float64Array.from(data.paths.samples) : null;
    for (let i = size - 1; samples && i >= 0; i--) if (parent[i] >= 0) samples[parent[i]] += samples[i];
    for (let i = size - 1; i >= 0; i--) {
      total[i] += self[i] + lost[i];
      total[parent[i] < 0 ? size : parent[i]] += total[i];
    }
    for (let i = 0; i < size; i++) first[(parent[i] < 0 ? size : parent[i]) + 1]++;
    for (let i = 0; i <= size; i++) first[i + 1] += first[i];
    const next = first.slice();
    for (let i = 0; i < size; i++) {
      lists[next[parent[i] < 0 ? size : parent[i]]++] = i;
      depth[i] = parent[i] < 0 ? 1 : depth[parent[i]] + 1;
    }
    return {of: data.paths, size, root: size, samples, total, first, lists, depth, sorted: new Uint8Array(size + 1)};
  }

  /* The largest first; sorted when they are seen for the first time. */
  function children(node) {
    const list = tree.lists.subarray(tree.first[node], tree.first[node + 1]);
    if (!tree.sorted[node]) list.sort((a, b) => tree.total[b] - tree.total[a] || a - b);
    tree.sorted[node] = 1;
    return list;
  }

  function parentOf(node) {
    return node === tree.root ? -1 : data.paths.parent[node] < 0 ? tree.root : data.paths.parent[node];
  }

  function nameOf(node) {
    if (node === tree.root) return "all";
    return data.paths.parent[node] < 0 ? data.paths.threads[node] : functionName(data.paths.function[node]);
  }

  function isFunction(node) {
    return node !== tree.root && data.paths.parent[node] >= 0;
  }

  function describe(frame) {
    const {node, rest, cycles} = frame, whole = data.summary.cycles, hz = data.summary.clock_hz;
    const error = tree.samples && !rest && node !== tree.root ? errorText(tree.samples[node]) : "";
    let text = `${frame.name}\n${count(cycles)}${error} ${data.summary.unit}, ${percent(cycles, whole, 2)}${hz && data.summary.unit === "cycles" ? ", " + time(cycles, hz) : ""}`;
    if (rest) return text;
    if (isFunction(node)) {
      text += `\nself ${count(data.paths.self[node])}` + (tree.samples ? `, ${count(tree.samples[node])} samples` : `, ${count(data.paths.calls[node])} calls`);
      if (!tree.samples && !data.functions.exact[data.paths.function[node]]) text += "\nnot exact: what was lost may have changed it";
    }
    if (isFunction(node)) text += costlyText(data.paths.function[node]);
    if (data.paths.lost[node]) text += `\n${count(data.paths.lost[node])} cycles in lost calls`;
    return text;
  }

  /* Costly functions have the hottest colour and a mark before their name; all others are pale meanwhile. */
  function put(frame) {
    const {context} = screen, hit = test && test(frame.name), hot = !frame.rest && isFunction(frame.node) && isCostly(data.paths.function[frame.node]);
    frame.y = flame ? screen.height - (frame.row + 1) * HEIGHT : frame.row * HEIGHT;
    if (frame.y < -HEIGHT || frame.y > screen.height) return;
    context.globalAlpha = costly.measure && !hot && !hit ? 0.4 : 1;
    context.fillStyle = hit ? themeColor("mark") : hot ? HOT : frame.rest === "more" ? themeColor("line") : colorOf(frame.name);
    context.fillRect(frame.x, frame.y, Math.max(LEAST, frame.width - (frame.width > 3 ? 1 : 0)), HEIGHT - 1);
    context.globalAlpha = 1;
    screen.text((hot ? "\u25b2 " : "") + frame.name, frame.x, frame.y + HEIGHT / 2, frame.width, hit ? themeColor("back") : costly.measure && !hot ? themeColor("text") : "#101214");
    if (frame.node === shown.focus && !frame.rest) {
      context.strokeStyle = themeColor("text");
      context.lineWidth = 2;
      context.strokeRect(frame.x + 1, frame.y + 1, Math.max(1, frame.width - 3), HEIGHT - 3);
    }
    shown.frames.push(frame);
  }

  function putChildren(above, scale, stack) {
    const {node, row} = above, list = children(node);
    let x = above.x, at = 0;
    for (; at < list.length && tree.total[list[at]] * scale >= LEAST; at++) {
      const cycles = tree.total[list[at]];
      stack.push({node: list[at], name: nameOf(list[at]), x, width: cycles * scale, cycles, row: row + 1});
      x += cycles * scale;
    }
    let rest = 0;
    for (let i = at; i < list.length; i++) rest += tree.total[list[i]];
    if (rest * scale >= LEAST) put({node, rest: "more", name: `[${count(list.length - at)} more]`, x, width: rest * scale, cycles: rest, row: row + 1});
    x += rest * scale;
    if (node === tree.root) return;
    const own = isFunction(node) ? [] : [["[unprofiled]", data.paths.self[node]]];
    for (const [name, cycles] of [...own, ["[lost]", data.paths.lost[node]]]) {
      if (cycles * scale >= LEAST) put({node, rest: name, name, x, width: cycles * scale, cycles, row: row + 1});
      x += cycles * scale;
    }
  }

  /* What is around the zoomed frame is drawn in full width. */
  function draw() {
    const around = [];
    for (let node = shown.zoom; node >= 0; node = parentOf(node)) around.unshift(node);
    const scale = screen.width / (tree.total[shown.zoom] || 1);
    shown.frames = [];
    around.forEach((node, row) => put({node, name: nameOf(node), x: 0, width: screen.width, cycles: tree.total[node], row: row + shown.up}));
    const stack = [{node: shown.zoom, x: 0, row: around.length - 1 + shown.up}];
    while (stack.length) {
      const frame = stack.pop();
      if (frame.name) put(frame);
      putChildren(frame, scale, stack);
    }
  }

  function search() {
    found = 0;
    if (test) {
      /* Cycles of paths that have a match, each once: a path below a match counts for the match. */
      const inside = new Uint8Array(tree.size + 1), parent = data.paths.parent;
      for (let i = 0; i < tree.size; i++) {
        const under = parent[i] >= 0 && inside[parent[i]];
        inside[i] = under || test(nameOf(i)) ? 1 : 0;
        if (inside[i] && !under) found += tree.total[i];
      }
    }
    byId("found").textContent = test ? `${percent(found, data.summary.cycles, 2)} of the cycles are in what was found` : "";
    screen.redraw();
  }

  /* Which functions from the root to the chosen frame are costly. */
  function showStack() {
    if (!data.summary.profile) return;
    const indices = [];
    for (let node = shown.focus; node >= 0; node = parentOf(node)) if (isFunction(node)) indices.unshift(data.paths.function[node]);
    stack.replaceChildren(make("h2", null, nameOf(shown.focus)), costly.measure ? costlyList(indices) : "", make("p", null, `${clean(data.summary.profile)}: ${wholeDoubt(costly.rows.filter(Boolean))}`));
  }

  function zoomTo(node, step = true) {
    shown.zoom = shown.focus = node;
    shown.up = 0;
    setState({zoom: node === tree.root ? null : node}, step);
    say(`${nameOf(node)}: ${count(tree.total[node])} cycles`);
    showStack();
    screen.redraw();
  }

  function at(event) {
    const box = screen.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    return shown.frames.findLast((frame) => x >= frame.x && x < frame.x + Math.max(1, frame.width) && y >= frame.y && y < frame.y + HEIGHT);
  }

  function focusOn(node) {
    shown.focus = node;
    say(describe({node, name: nameOf(node), cycles: tree.total[node]}).replaceAll("\n", ", "));
    showStack();
    screen.redraw();
  }

  function sibling(step) {
    const parent = parentOf(shown.focus);
    if (parent < 0) return shown.focus;
    const list = children(parent), place = list.indexOf(shown.focus) + step;
    return place >= 0 && place < list.length ? list[place] : shown.focus;
  }

  function key(event) {
    const inner = flame ? "ArrowUp" : "ArrowDown", outer = flame ? "ArrowDown" : "ArrowUp";
    if (event.key === inner) focusOn(children(shown.focus)[0] === undefined ? shown.focus : children(shown.focus)[0]);
    else if (event.key === outer) focusOn(shown.focus === tree.root ? tree.root : parentOf(shown.focus));
    else if (event.key === "ArrowLeft") focusOn(sibling(-1));
    else if (event.key === "ArrowRight") focusOn(sibling(1));
    else if (event.key === "Enter") zoomTo(shown.focus);
    else if (event.key === "Escape") zoomTo(parentOf(shown.zoom) < 0 ? tree.root : parentOf(shown.zoom));
    else if (event.key === "Home") zoomTo(tree.root);
    else if (event.key === "f" && isFunction(shown.focus)) location.hash = linkTo("functions", {function: functionName(data.paths.function[shown.focus])});
    else return false;
    return true;
  }

  function show(root, state) {
    if (!tree || tree.of !== data.paths) tree = makeTree();
    flame = state.form !== "icicle";
    const zoom = Number(data.summary.live ? tree.root : state.zoom); /* numbers of paths change while a program runs */
    shown = {zoom: state.zoom && zoom < tree.size ? zoom : tree.root, focus: tree.root, frames: [], up: 0};
    shown.focus = shown.zoom;
    const form = make("button", {type: "button", id: "form", onclick: () => {
      flame = !flame;
      form.textContent = flame ? "Show as icicle" : "Show as flame";
      setState({form: flame ? null : "icicle"});
      screen.redraw();
    }}, flame ? "Show as icicle" : "Show as flame");
    const input = make("input", {type: "search", id: "search", placeholder: "Search (/)", "aria-label": "Search functions", value: state.search || "",
      oninput: () => { test = matcher(input.value); setState({search: input.value}); search(); }});
    const place = make("div", {class: "fill"}), beside = data.summary.profile;
    stack = make("div", {class: "side", role: "status"});
    if (beside) setCostly(state);
    const changed = () => {
      showStack();
      screen.redraw();
    };
    root.append(make("div", {class: "tools"}, form, make("button", {type: "button", onclick: () => zoomTo(tree.root)}, "Whole run (Home)"), input, ...beside ? costlyTools(state, changed) : [],
      make("span", {id: "found"}), data.summary.full_paths ? null : make("span", null, "Each function is under its direct caller: " + (data.summary.sampled ? "samples have no more" : "function records have no more"))), beside ? make("div", {class: "columns under"}, make("div", {class: "grow"}, place), stack) : place);
    screen = new Screen(place, "Flame graph: arrow keys move, Enter zooms, Escape goes back", draw);
    screen.canvas.addEventListener("mousemove", (event) => {
      const frame = at(event);
      showTip(frame ? describe(frame) : "", event.clientX, event.clientY);
    });
    screen.canvas.addEventListener("mouseleave", () => showTip(""));
    screen.canvas.addEventListener("click", (event) => {
      const frame = at(event);
      if (frame && !frame.rest) zoomTo(frame.node);
    });
    place.addEventListener("wheel", (event) => {
      event.preventDefault();
      shown.up = Math.min(0, shown.up + Math.sign(event.deltaY) * (flame ? 1 : -1) * 3);
      screen.redraw();
    }, {passive: false});
    test = matcher(state.search);
    showStack();
    search();
  }

  addView({id: "flame", title: "Flame graph", bundles: () => data.summary.profile ? ["api"] : [], ready: () => true, exactness: () => data.summary.exactness, show, key,
    redraw: () => screen.redraw(),
    keys: [["arrows", "next frame"], ["Enter", "zoom"], ["Escape", "zoom out"], ["Home", "whole run"], ["f", "the function in the table"]]});
}
