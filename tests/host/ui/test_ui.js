// SPDX-License-Identifier: Apache-2.0
/* The page of gnomon ui in a browser: every view, with the figures of the other commands; keyboard, links, themes; the
 * same from a disk; nothing is asked of any other server.
 *
 * usage: test_ui.js --gnomon COMMAND --out DIR --old FILE --lossy FILE --hostile FILE --sampled FILE --program ELF
 *        --recorded FILE --alone FILE FILE...    (pictures in DIR; alone: one hart of two ran) */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const {views, expect, same, result, gnomon, serve, open, show, drawn, press, launch, options} = require("./browser.js");

const given = options(process.argv.slice(2));
const CHANNEL_THREAD = 1;
const sum = (list) => list.reduce((all, value) => all + value, 0);

/* ---- Figures ---- */

/* What the page has of each function equals gnomon report. */
async function checkFunctions(page, file) {
  const report = gnomon(given.gnomon, ["report", "--json", file]);
  const got = await page.evaluate(() => ({cycles: data.summary.cycles, exact: data.summary.exactness.exact, lost: data.summary.lost_cycles, arcs: data.arcs,
    ...Object.fromEntries(["name", "self", "total", "calls", "min", "max", "exact"].map((key) => [key === "exact" ? "exacts" : key, data.functions[key].slice(0, data.functions.profiled)]))}));
  same("cycles", [got.cycles, got.exact, got.lost], [report.cycles, report.exact, report.lost_cycles]);
  const row = (...figures) => figures.join(" ");
  const whole = (least, most) => least <= most ? `${least} ${most}` : "-";
  same("functions", got.self.map((self, i) => row(self, got.total[i], got.calls[i], whole(got.min[i], got.max[i]), Boolean(got.exacts[i]))).sort(),
    report.functions.map((one) => row(one.self_cycles, one.total_cycles, one.calls, one.min_cycles === undefined ? "-" : `${one.min_cycles} ${one.max_cycles}`, one.exact)).sort());
  same("arcs", got.arcs.calls.map((calls, i) => row(calls, got.arcs.total[i])).sort(), report.arcs.map((arc) => row(arc.calls, arc.total_cycles)).sort());
  same("buckets", await page.evaluate(() => Object.values(data.histograms.functions).map((list) => list.length / 3).sort()),
    report.functions.filter((one) => one.histogram).map((one) => one.histogram.length).sort());
  return report;
}

/* The paths' cycles add up to the run; so do those of each function to its own. */
async function checkPaths(page, report) {
  const {self, lost, by} = await page.evaluate(() => {
    const by = {};
    data.paths.function.forEach((index, i) => { if (index >= 0) by[index] = (by[index] || 0) + data.paths.self[i]; });
    return {self: data.paths.self, lost: data.paths.lost, by: Object.entries(by).map(([index, cycles]) => cycles - data.functions.self[index])};
  });
  same("paths add up to the run", sum(self) + sum(lost), report.cycles);
  same("paths add up to their functions", by.filter((difference) => difference), []);
}

async function checkCosts(page, file) {
  const causes = gnomon(given.gnomon, ["report", "--causes", "--json", file]);
  const got = await page.evaluate(() => ({whole: data.costs.whole, functions: Object.values(data.costs.functions).map((list) => list.reduce((all, cycles) => all + cycles, 0)),
    lines: data.sources.flatMap((source) => source.lines.filter((_, i) => i % (2 + data.costs.causes.length) >= 2)).reduce((all, cycles) => all + cycles, 0)}));
  same("causes of the run", sum(got.whole), causes.cycles);
  same("cycles of functions by cause", got.functions.sort((a, b) => a - b), causes.functions.map((one) => one.cycles).sort((a, b) => a - b));
  same("cycles of lines", got.lines, sum(got.functions));
}

/* All spans in the tiles that have each one by itself, put together: as many calls of each function as it had. The tile of
 * the whole run, where short ones are put together, has as many spans on each track, and as many cycles in them. */
async function checkTimeline(page, report) {
  const {calls, each, together, tracks} = await page.evaluate(async () => {
    const seen = new Set(), by = new Map(), each = data.timeline.tracks.map(() => [0, 0]), deepest = Math.log2(data.timeline.length / data.timeline.places);
    async function take(level, index) {
      await need(`tile-${level}-${index}`);
      const tile = data[`tile-${level}-${index}`];
      if (!tile.whole && level < deepest) {
        await take(level + 1, 2 * index);
        await take(level + 1, 2 * index + 1);
        return;
      }
      tile.tracks.forEach((track, number) => {
        for (let at = 0; at < track.s.length; at += 7) {
          const [from, cycles, depth, name, category, count] = track.s.slice(at, at + 6), key = `${number} ${tile.from + from} ${cycles} ${depth}`;
          if (count === 1 && cycles && seen.has(key)) continue;
          seen.add(key);
          each[number][0] += count;
          each[number][1] += count > 1 ? track.s[at + 6] : cycles;
          if (["call", "trap"].includes(data.timeline.categories[category])) by.set(name, (by.get(name) || 0) + count);
        }
      });
    }
    await take(0, 0);
    const items = (list) => Array.from({length: list.length / 7}, (_, i) => list.slice(7 * i, 7 * i + 7));
    return {calls: [...by].map(([index, count]) => [data.functions.name[index], count]), each, tracks: data.timeline.tracks.map((track) => track.spans),
      together: data["tile-0-0"].tracks.map((track) => items(track.s).reduce((all, item) => [all[0] + item[5], all[1] + (item[5] > 1 ? item[6] : item[1])], [0, 0]))};
  });
  same("spans one by one, and put together", together, each);
  same("spans of the tracks", each.map(([count]) => count), tracks);
  const wanted = new Map(report.functions.filter((one) => one.calls).map((one) => [one.name, one.calls]));
  same("calls on the time line", Object.fromEntries(calls.sort()), Object.fromEntries([...wanted].sort()));
  const runs = await page.evaluate(() => data.timeline.tracks.map((track, index) => track.group === "harts" && track.rank % 2 === 0 ? index : -1).filter((index) => index >= 0));
  same("what the harts ran", sum(runs.map((index) => each[index][1])), report.cycles);
}

/* The harts on which each thread ran, by the events. */
function hartsOfThreads(file) {
  const harts = new Map();
  for (const line of gnomon(given.gnomon, ["dump", "--json", "--hart", "both", file], false).trim().split("\n")) {
    const event = JSON.parse(line);
    for (const thread of [event.thread, ...event.event === "channel" && event.number === CHANNEL_THREAD ? [event.value] : []])
      if (thread !== undefined) harts.set(thread, [...new Set([...harts.get(thread) || [], event.hart])].sort());
  }
  return harts;
}

/* A recording of two harts: what is of both, and what of one; the time line of each. */
async function checkHarts(page, address, file, report) {
  same("cycles of the harts", await page.evaluate(() => [data.summary.harts, data.summary.run_cycles]), [report.harts.map((hart) => hart.cycles), report.run_cycles]);
  const line = await page.textContent("#run"), digits = (value) => value.toLocaleString("en-US");
  expect("the page says that figures are of both harts", line.includes(`of both harts, added (${report.harts.map((hart) => `hart ${hart.hart}: ${digits(hart.cycles)}`).join(", ")})`), line);
  for (const view of ["cpi", "source"]) {
    await show(page, address, view);
    expect(`${view} says whose figures they are`, /hart 0 only/.test(await page.textContent("#worth")), await page.textContent("#worth"));
  }
  const ran = hartsOfThreads(file), shown = async () => (await page.getAttribute("#view canvas", "aria-label")).replace(/^.*Tracks: /, "").split("; ");
  await show(page, address, "timeline");
  const tracks = await page.evaluate(() => data.timeline.tracks), threads = tracks.filter((track) => track.group === "threads");
  same("harts of the threads", threads.map((track) => [track.rank, track.harts]), threads.map((track) => [track.rank, ran.get(track.rank)]));
  const names = threads.map((track) => track.name), all = await shown();
  for (const track of threads) {
    const number = names.filter((name) => name === track.name).length > 1 ? ` (${track.rank})` : "";
    const title = track.name + number + (track.harts.length > 1 ? ", both harts" : `, hart ${track.harts[0]}`);
    same(`the track of thread ${track.rank}`, all.filter((name) => name === title).length, 1);
  }
  for (const hart of [0, 1]) {
    await page.selectOption("#hart", String(hart));
    expect("the link has the hart", (await state(page)).includes(`hart=${hart}`), await state(page));
    const some = await shown();
    same(`tracks of hart ${hart}`, some, all.filter((name) => !new RegExp(`^hart ${1 - hart}|, hart ${1 - hart}$`).test(name)));
    expect(`hart ${hart} has fewer tracks`, some.length < all.length && some.includes(`hart ${hart}`), some);
    await show(page, address, "timeline", `?hart=${hart}`);
    same("a link keeps the hart", [await shown(), await page.inputValue("#hart")], [some, String(hart)]);
  }
  await page.selectOption("#hart", "");
  same("both harts again", [await shown(), (await state(page)).includes("hart=")], [all, false]);
  const folder = path.resolve(given.out, "hart1.ui"), causes = gnomon(given.gnomon, ["report", "--causes", "--json", "--hart", "1", file]);
  gnomon(given.gnomon, ["ui", "-q", "--hart", "1", "--export", folder, file], false);
  const costs = JSON.parse(/^gnomonData\("costs",(.*)\)$/m.exec(fs.readFileSync(path.join(folder, "profile.js"), "utf8"))[1]);
  same("--hart 1 has its own causes", [sum(costs.whole), /hart 1 only/.test(costs.exactness.phrase)], [causes.cycles, true]);
}

async function checkLocks(page, file) {
  const locks = gnomon(given.gnomon, ["locks", "--json", file]);
  const row = (one, name) => [name, one.requests, one.contended, one.acquisitions, one.contended_across_harts || 0].join(" ");
  same("locks", await page.evaluate(() => data.locks.locks.map((one) => [one.name, one.requests, one.contended, one.acquisitions, one.across].join(" ")).sort()),
    locks.locks.map((one) => row(one, one.name)).sort());
  same("exactness of locks", await page.evaluate(() => data.locks.exactness.exact), locks.exact);
}

async function checkComparison(page, file) {
  const diff = gnomon(given.gnomon, ["diff", "--all", "--json", given.old, file]);
  const got = await page.evaluate(() => data.compare.new_self.reduce((all, now, i) => all + now - data.compare.old_self[i], 0));
  same("changes add up to the change of the run", got, diff.new[0].cycles - diff.old[0].cycles);
}

/* ---- What a user does ---- */

const state = (page) => page.evaluate(() => location.hash);

async function checkKeyboard(page, address) {
  await show(page, address, "flame");
  await press(page, "ArrowUp", "ArrowUp", "Enter");
  const zoomed = await state(page);
  expect("arrows and Enter zoom", /zoom=\d+/.test(zoomed), zoomed);
  await page.reload();
  await page.waitForSelector("#view[data-view=flame] canvas");
  same("a link keeps the zoom", await page.evaluate(() => location.hash), zoomed);
  await press(page, "Escape", "Escape", "Escape");
  expect("Escape zooms out", !/zoom/.test(await state(page)), await state(page));
  await press(page, "2");
  await page.waitForSelector("#view[data-view=functions] .row[aria-rowindex]");
  await press(page, "ArrowDown", "ArrowDown");
  expect("arrows choose a function", /function=/.test(await state(page)), await state(page));
  await press(page, "/");
  await page.keyboard.type("no_such_function");
  await drawn(page);
  same("search", await page.locator(".rows .row").count(), 0);
  await press(page, "Escape", "?");
  expect("? shows the keys", await page.locator("#help[open]").count() === 1);
  await press(page, "Escape");
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await press(page, "t");
  expect("t changes the theme", await page.evaluate(() => document.documentElement.dataset.theme) !== before);
  await press(page, "t", "6");
  await page.waitForSelector("#view[data-view=timeline] canvas");
  await press(page, "w", "w", "d");
  const place = await state(page);
  expect("w and d move in time", /from=[1-9]\d*/.test(place), place);
}

/* Every view by its link, with the line about exactness and a picture. `says`: what that line must have. */
async function checkViews(page, address, name, says, theme) {
  for (const view of views) {
    await show(page, address, view, theme ? `?theme=${theme}` : "");
    const line = await page.textContent("#worth");
    expect(`${name}, ${view}: the first line says ${says}`, says.test(line), line);
    expect(`${name}, ${view}: shows something`, (await page.textContent("#view")).trim() && !/cannot show|Loading/.test(await page.textContent("#view")));
    await page.screenshot({path: path.join(given.out, `${name}-${view}.png`)});
  }
}

/* On a device of two harts a program that runs on one lacks nothing. */
async function checkAlone(browser) {
  const server = await serve(given.gnomon, ["-q", given.alone]);
  const {page, wrong, close} = await open(browser, server.address);
  const report = gnomon(given.gnomon, ["report", "--json", given.alone]);
  same("alone: nothing is missing", [report.device, report.complete, report.reasons], ["sim:duo", true, []]);
  for (const view of ["functions", "cpi", "source", "timeline"]) {
    await show(page, server.address + "/", view);
    same(`alone, ${view}: the first line`, await page.textContent("#worth"), "counted exactly, nothing lost");
  }
  same("alone: no choice of harts", [await page.locator("#hart").count(), /hart/.test(await page.textContent("#run"))], [0, false]);
  same("alone: nothing went wrong", wrong, []);
  await close();
  await server.stop();
}

async function checkServed(browser, file) {
  const name = path.basename(file, ".gnt"), server = await serve(given.gnomon, ["-q", file, given.old]);
  const {page, wrong, close} = await open(browser, server.address);
  await checkViews(page, server.address + "/", name, /^(before: )?counted exactly/, name.endsWith("events") ? "dark" : "");
  await show(page, server.address + "/", "functions");
  const report = await checkFunctions(page, file);
  await checkPaths(page, report);
  const has = await page.evaluate(() => data.summary);
  await checkComparison(page, file);
  if (has.costs) {
    await show(page, server.address + "/", "source");
    await checkCosts(page, file);
  }
  if (has.locks) await checkLocks(page, file);
  await show(page, server.address + "/", "timeline");
  if (has.full_paths) await checkTimeline(page, report);
  expect("a choice of harts only where there are two", await page.locator("#hart").count() === (has.harts ? 1 : 0));
  if (has.harts) await checkHarts(page, server.address + "/", file, report);
  await checkKeyboard(page, server.address + "/");
  same(`${name}: nothing went wrong, and nothing was asked of another server`, wrong, []);
  await close();
  await server.stop();
}

async function checkExported(browser, file) {
  const name = path.basename(file, ".gnt"), folder = path.resolve(given.out, name + ".ui");
  gnomon(given.gnomon, ["ui", "-q", "--export", folder, file, given.old], false);
  const text = fs.readdirSync(folder).map((one) => fs.readFileSync(path.join(folder, one), "utf8"));
  expect("only the page's own files are named", !text.slice(0, 3).some((one) => /https?:\/\//.test(one)));
  const {page, wrong, close} = await open(browser, "file://" + folder);
  await checkViews(page, `file://${folder}/index.html`, name + "-disk", /^(before: )?counted exactly/);
  same(`${name} from a disk: nothing went wrong`, wrong, []);
  await close();
}

/* Every view of a lossy recording says so, and marks what is in doubt. */
async function checkLossy(browser) {
  const server = await serve(given.gnomon, ["-q", given.lossy]);
  const {page, wrong, close} = await open(browser, server.address);
  await checkViews(page, server.address + "/", "lossy", /^NOT EXACT: .*LOST/);
  await show(page, server.address + "/", "functions");
  await checkPaths(page, await checkFunctions(page, given.lossy));
  expect("functions in doubt are marked", await page.locator(".rows .doubt").count() > 0);
  same("lossy: nothing went wrong", wrong, []);
  await close();
  await server.stop();
}

/* Names from a program are text, whatever is in them. */
async function checkHostile(browser) {
  const server = await serve(given.gnomon, ["-q", given.hostile]);
  const {page, wrong, close} = await open(browser, server.address);
  for (const view of views) await show(page, server.address + "/", view);
  await show(page, server.address + "/", "source"); /* it has no debug information: instructions without a line */
  expect("instructions without a line are there", await page.evaluate(() => data.sources.some((source) => source.path === null && source.lines.length)));
  await checkCosts(page, given.hostile);
  await show(page, server.address + "/", "functions");
  const names = await page.evaluate(() => data.functions.name);
  expect("the hostile name is there", names.some((name) => name.includes("<img")), names);
  expect("and shown", (await page.textContent(".rows")).includes("<img"));
  same("it is no element", await page.locator("main img, main script").count(), 0);
  expect("nothing of it has run", await page.evaluate(() => window.broken === undefined));
  same("hostile: nothing went wrong", wrong, []);
  await close();
  await server.stop();
}

/* The page follows a program while it runs; at the end its figures are those of a recording. */
async function checkLive(browser) {
  const server = await serve(given.gnomon, ["-q", "-d", "sim:full", given.program, "--", "40"]);
  const {page, wrong, close} = await open(browser, server.address);
  await show(page, server.address + "/", "functions");
  await page.waitForFunction(() => !data.summary.live, null, {timeout: 900000});
  const got = await page.evaluate(() => data.functions.name.map((name, i) => [name, data.functions.self[i], data.functions.calls[i]].join(" ")).sort());
  const report = gnomon(given.gnomon, ["report", "--json", given.recorded]);
  same("live: functions", got, report.functions.map((one) => [one.name, one.self_cycles, one.calls].join(" ")).sort());
  same("live: cycles", await page.evaluate(() => data.summary.cycles), report.cycles);
  expect("live: it has ended", /ended with status/.test(await page.textContent("#run")), await page.textContent("#run"));
  for (const view of views) await show(page, server.address + "/", view);
  same("live: nothing went wrong", wrong, []);
  await close();
  await server.stop();
}

/* Estimates have the errors that gnomon report says, and each view says that they are estimates. */
async function checkSampled(browser) {
  const server = await serve(given.gnomon, ["-q", given.sampled]);
  const {page, wrong, close} = await open(browser, server.address);
  await checkViews(page, server.address + "/", "sampled", /^SAMPLED: /);
  await show(page, server.address + "/", "functions");
  const report = gnomon(given.gnomon, ["report", "--json", given.sampled]);
  same("sampled: functions", await page.evaluate(() => data.functions.self.map((self, i) => [data.functions.name[i], self, data.functions.samples[i], errorOf(data.functions.samples[i])].join(" ")).sort()),
    report.functions.map((one) => [one.name, one.self_cycles, one.samples, one.self_error_cycles].join(" ")).sort());
  expect("sampled: the table has the errors", /\u00b1/.test(await page.textContent(".rows")));
  same("sampled: nothing went wrong", wrong, []);
  await close();
  await server.stop();
}

async function status(address, url, settings) {
  return (await fetch(address + url, settings)).status;
}

async function checkServer() {
  const server = await serve(given.gnomon, ["-q", given.lossy]);
  const {address} = server;
  for (const url of ["/nothing", "/tile-0-1.js", "/tile-99-0.js", "/tile-1-2.js", "/tile-0-0.jsx", "/tile-0--1.js", "/tile-0-18446744073709551616.js", "/../etc/passwd"])
    same(`there is no ${url}`, await status(address, url), 404);
  same("there is a tile", await status(address, "/tile-0-0.js"), 200);
  same("POST is refused", await status(address, "/profile.js", {method: "POST"}), 405);
  const policy = (await fetch(address + "/")).headers.get("content-security-policy");
  expect("the page's policy", /default-src 'none'/.test(policy) && !/unsafe|\*/.test(policy), policy);
  await server.stop();
}

async function main() {
  fs.mkdirSync(given.out, {recursive: true});
  const browser = await launch();
  for (const file of given.operands) {
    await checkServed(browser, file);
    await checkExported(browser, file);
  }
  await checkAlone(browser);
  await checkLossy(browser);
  await checkHostile(browser);
  await checkSampled(browser);
  await checkLive(browser);
  await checkServer();
  await browser.close();
  process.exit(result());
}

main().catch((error) => {
  console.log("FAIL ", error.stack);
  process.exit(1);
});
