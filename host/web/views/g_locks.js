/* Locks: who waited for which one, and what is wrong. */
{
  const titles = {circle: "orders that can deadlock"};

  function problem(one) {
    const parts = [one.locks.join(" -> ")];
    if (one.thread) parts.push("thread " + one.thread);
    if (one.owner) parts.push("held by " + one.owner);
    if (one.where && one.where !== "?") parts.push("at " + one.where);
    if (one.cycle) parts.push("cycle " + count(one.cycle));
    if (one.count > 1) parts.push(count(one.count) + " times");
    return make("li", null, make("b", {class: one.harmless ? null : "doubt"}, (titles[one.kind] || one.kind) + (one.harmless ? " (cannot block)" : "")), ": " + parts.join(", "));
  }

  /* Numbers of durations by power of two, as letters of rising height. */
  function spark(octaves) {
    const last = octaves.findLastIndex((number) => number > 0), most = Math.max(...octaves, 1), bars = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    if (last < 0) return "";
    const first = octaves.findIndex((number) => number > 0);
    return make("span", {title: octaves.map((number, i) => number ? `from 2^${i} cycles: ${count(number)}` : "").filter((text) => text).join("\n")},
      `2^${first} ` + octaves.slice(first, last + 1).map((number) => number ? bars[Math.min(7, Math.floor(8 * number / most))] : " ").join("") + ` 2^${last}`);
  }

  const titlesOf = () => ["acquired", "requests", "contended", ...data.summary.harts ? ["by other hart"] : [], "wait cycles", "longest wait", "hold cycles", "longest hold"].map((title) => ({title}));
  const figures = (one) => [one.acquisitions, one.requests, one.contended, ...data.summary.harts ? [one.across] : [], one.wait_cycles, one.wait_max, one.hold_cycles, one.hold_max].map(count);

  function part(title, list, names) {
    const rows = list.slice().sort((a, b) => b.wait_cycles - a.wait_cycles || b.hold_cycles - a.hold_cycles).slice(0, 200);
    return [make("h2", null, title), tableOf([{title: "lock", text: true}, {title: "", text: true}, ...titlesOf()], rows.map((one) => [names.get(one.lock), one.name, ...figures(one)]))];
  }

  function show(root) {
    const l = data.locks, names = new Map(l.locks.map((lock) => [lock.lock, lock.name]));
    const locks = l.locks.slice().sort((a, b) => b.wait_cycles - a.wait_cycles || b.hold_cycles - a.hold_cycles);
    root.append(make("div", {class: "scroll"}, make("h2", null, "What is wrong"),
      l.problems.length ? make("ul", null, ...l.problems.map(problem)) : make("p", null, "No deadlock, no order that can end in one, no inversion, no misuse was seen."),
      make("h2", null, "Locks"),
      tableOf([{title: "lock", text: true}, {title: "kind", text: true}, ...titlesOf(), {title: "most waiting"}, {title: "waits", text: true}, {title: "holds", text: true}],
        locks.map((lock) => [lock.unknown ? make("span", {class: "doubt", title: `${count(lock.unknown)} holds or waits are not known: lower bounds`}, lock.name + " +") : lock.name,
          lock.kind, ...figures(lock), count(lock.most_waiting), spark(lock.wait), spark(lock.hold)])),
      ...part("By thread", l.by_thread, names), ...part("By call site", l.by_caller, names),
      make("h2", null, "Orders: asked for while holding"),
      tableOf([{title: "held", text: true}, {title: "asked for", text: true}, {title: "times"}, {title: "where", text: true}], l.orders.map((order) => [order.from, order.to, count(order.count), order.where]))));
  }

  addView({id: "locks", title: "Locks", bundles: [], show, exactness: () => data.locks.exactness, keys: [],
    ready: () => data.summary.locks || note("The recording has no messages about locks. Build with ", make("code", null, "gnomon cc --gnomon-locks"),
      ", or record with ", make("code", null, "--watch-locks"), ".")});
}
