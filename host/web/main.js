/* The frame around the views: tabs, links, keyboard, theme, and how exact the figures are. */
{
  let present = null;

  /* Of API profiles alone: the first line of gnomon api list. */
  function showProfile() {
    const name = inFleet() ? "fleet" : data.summary.profile, profile = data.api ? profileOf("api") : profiles.api;
    document.title = `${name} - gnomon`;
    byId("run").replaceChildren(make("b", null, clean(name)), profile ? ": " + aboutOf(profile) : "", data.summary.before ? `, and ${clean(data.summary.before)} before` : "", ...inFleet() && profile ? [" ",
      make("button", {type: "button", id: "again", onclick: refresh}, "Refresh")] : []);
  }

  function showTabs() {
    byId("tabs").replaceChildren(...views.map((view, i) => make("a", {href: linkTo(view.id), id: "tab-" + view.id, title: i < 9 ? `key ${i + 1}` : null}, view.title)));
  }

  function showRun() {
    const s = data.summary, hz = s.clock_hz;
    document.title = `${s.program} - gnomon`;
    byId("run").replaceChildren(make("b", null, s.program), ` on ${s.device || "?"}, ${count(s.cycles)} ${s.unit}` +
      (s.harts ? ` of both harts, added (${s.harts.map((cycles, hart) => `hart ${hart}: ${count(cycles)}`).join(", ")})` : s.hart === null ? "" : ` of hart ${s.hart}`) +
      (hz && s.unit === "cycles" ? `${s.harts ? " in" : " ="} ${time(s.run_cycles, hz)} at ${count(hz / 1e6)} MHz` : "") + `, ${s.recording}` + (s.profile ? `, with ${clean(s.profile)}` : ""));
  }

  /* Figures above 2^53 are rounded in a browser. */
  function roundedFigures() {
    return data.summary.cycles > Number.MAX_SAFE_INTEGER;
  }

  function showWorth(exactness) {
    const exact = exactness.exact && !roundedFigures(), line = byId("worth");
    line.className = exact && exactness.complete ? "exact" : "inexact";
    line.replaceChildren((exact ? "" : data.summary.sampled ? "SAMPLED: " : "NOT EXACT: ") + exactness.phrase + (roundedFigures() ? ", figures of more than 2^53 are rounded" : ""));
    if (exactness.reasons.length)
      line.append(make("details", null, make("summary", null, "why"), ...exactness.reasons.map((reason) => make("p", null, reason.text))));
  }

  async function render() {
    const {id, state} = readLink(), root = byId("view");
    const view = views.find((one) => one.id === id) || views[0];
    const turn = present = view;
    showTip("");
    say("");
    for (const one of views) {
      const tab = byId("tab-" + one.id);
      if (one === view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
      if (one.kept) tab.setAttribute("href", linkTo(one.id, one.kept(state)));
    }
    root.replaceChildren(note("Loading ..."));
    let ready = view.ready();
    if (ready === true) await Promise.all((typeof view.bundles === "function" ? view.bundles() : view.bundles).map(need));
    if (turn !== present) return;
    ready = view.ready(); /* a fleet's service may have refused the token */
    if (data.summary.kind) showProfile();
    if (ready === true || data.summary.exactness) showWorth(ready === true ? view.exactness(state) : data.summary.exactness);
    root.replaceChildren();
    root.dataset.view = view.id;
    if (ready === true) view.show(root, state);
    else root.append(ready);
    const focus = ready === true && view.focus ? view.focus() : root.querySelector("canvas");
    (focus || root).focus({preventScroll: true});
  }

  function fail(error) {
    byId("view").replaceChildren(note("This page cannot show its data: " + error.message));
  }

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("gnomon-theme", theme);
    } catch { /* a page from a disk may have no storage */ }
    if (present && present.redraw && byId("view").querySelector("canvas")) present.redraw();
  }

  function firstTheme() {
    let kept = null;
    try {
      kept = localStorage.getItem("gnomon-theme");
    } catch { /* as above */ }
    return readLink().state.theme || kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  function help() {
    const dialog = byId("help"), row = ([keys, text]) => [make("span", null, ...keys.split(/(, | or )/).map((part, i) => i % 2 ? part : make("kbd", null, part))), text];
    dialog.replaceChildren(make("h2", null, "Keyboard"), tableOf([{title: "key", text: true}, {title: "does", text: true}],
      [["1 or ... or " + Math.min(9, views.length), "view"], ["/", "search"], ["t", "dark or light"], ["?", "this help"], ...present.keys].map(row)),
      make("form", {method: "dialog"}, make("button", null, "Close (Escape)")));
    dialog.showModal();
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target.matches("input, select")) {
      if (event.key === "Escape") (byId("view").querySelector("canvas, .rows") || byId("view")).focus();
      return;
    }
    const number = Number(event.key);
    if (number >= 1 && number <= views.length) location.hash = byId("tab-" + views[number - 1].id).getAttribute("href");
    else if (event.key === "/" && byId("search")) byId("search").focus();
    else if (event.key === "t") setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    else if (event.key === "?") help();
    else if (event.target.matches("button, a, summary") || !present.key || !byId("view").querySelector("canvas") || !present.key(event)) return;
    event.preventDefault();
  }

  /* Reads a running program's figures again; what the user types or points at stays. */
  async function follow() {
    while (data.summary.live) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      ["profile", "calls"].forEach((name) => asked.delete(name));
      try {
        await need("profile");
      } catch {
        say("gnomon ui has ended: these figures are its last ones");
        return;
      }
      unpackFiles();
      showRun();
      if (document.activeElement.matches("input") || !byId("tip").hidden || byId("help").open) continue;
      const top = (byId("view").querySelector(".rows") || {}).scrollTop;
      await render();
      if (top) byId("view").querySelector(".rows").scrollTop = top;
    }
  }

  /* What a fleet's profile has more than before; what the user types or points at stays. */
  async function refresh() {
    let changed = false;
    try {
      changed = await loadFleet();
      say(changed ? "the profile has changed" : "nothing has changed");
    } catch (error) {
      say("not refreshed: " + error.message);
    }
    if (!changed || document.activeElement.matches("input, select") || !byId("tip").hidden || byId("help").open) return;
    const top = (byId("view").querySelector(".rows") || {}).scrollTop;
    await render();
    if (top) byId("view").querySelector(".rows").scrollTop = top;
  }

  async function followFleet() {
    while (inFleet()) {
      await new Promise((resolve) => setTimeout(resolve, 30000));
      if (fleet.sequence !== null && document.visibilityState === "visible") await refresh();
    }
  }

  async function start() {
    setTheme(firstTheme());
    await need("profile");
    views.splice(0, views.length, ...views.filter((view) => view.of ? view.of(data.summary) : !data.summary.kind));
    showTabs();
    if (data.summary.kind) {
      showProfile();
    } else {
      unpackFiles();
      showRun();
    }
    byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    byId("keys").addEventListener("click", help);
    document.addEventListener("keydown", onKey);
    addEventListener("hashchange", () => render().catch(fail));
    await render();
    await Promise.all([follow(), followFleet()]);
  }

  start().catch(fail);
}
