// SPDX-License-Identifier: Apache-2.0
/* The page of API profiles in a browser: every number is that of gnomon api list and gnomon check; spectrum, search, order, links,
 * keyboard; costly functions in the flame graph; names that try to be more than text; from a disk; nothing is asked of another server.
 *
 * usage: test_api.js --gnomon COMMAND --out DIR --kinds FILE --later FILE --hostile FILE --measured FILE --recording FILE --recorded FILE
 *        --big FILE    (recorded: the profile of the recording; big: 10,000 functions in 5 sources; pictures in DIR) */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const {expect, same, result, gnomon, serve, open, show, drawn, press, launch, options} = require("./browser.js");

const given = options(process.argv.slice(2));
const apiViews = ["apis", "spectrum", "drill", "worse"];
const MOST_ELEMENTS = 1500, MOST_BYTES = 400 << 20;
const WIDE = {viewport: {width: 2200, height: 900}};

const list = (file, ...words) => gnomon(given.gnomon, ["api", "list", "--json", ...words, file]);

/* ---- The figures ---- */

/* The page's rows as gnomon api list has them. */
const pageRows = (page, state) => page.evaluate((chosen) => profileOf("api").list(chosen).map((row) => [row.symbol, row.cost, row.module, row.file || null, row.line, row.program, row.build, row.exact,
  row.saturated, ...[row.lost, row.count, row.sum, row.least, row.most].map((value) => value === null ? null : String(value)), row.doubt.slice().sort().join(), sixDigits(row.mean), sixDigits(row.deviation),
  row.buckets.map((one) => `${one.log2} ${one.count} ${one.sum} ${one.squares}`).join()].join("|")).sort(), state);

async function listRows(page, rows) {
  const texts = await page.evaluate((figures) => figures.map(([mean, deviation]) => [sixDigits(mean), sixDigits(deviation)]), rows.map((row) => [row.mean, row.deviation]));
  return rows.map((row, i) => [row.symbol, row.cost, row.module, row.file, row.line, row.program, row.build, row.exact, row.saturated, row.lost, row.count, row.sum, row.least, row.most, row.doubt.slice().sort().join(), ...texts[i],
    row.buckets.map((one) => `${one.log2} ${one.count} ${one.sum} ${one.squares}`).join()].join("|")).sort();
}

/* [the page's choice, the options of gnomon api list]. */
const choicesOf = (file) => {
  const {sources} = list(file);
  const different = (name) => [...new Set(sources.map((source) => source[name]))].filter((value) => value !== "" && value !== "0");
  return [[{}, []], ...different("scenario").map((name) => [{scenario: name}, ["--scenario", name]]), ...different("device").map((name) => [{device: name}, ["--on", name]]),
    ...different("size").map((size) => [{size}, ["--size", size]]), ...different("build").map((build) => [{build}, ["--build", build]])];
};

/* What the table on the page shows: the texts of its cells, by column. */
const cells = (page) => page.evaluate(() => [...document.querySelectorAll(".rows .row")].map((row) => [...row.children].map((cell) => cell.textContent)));

/* How many rows gnomon api list has. */
const rowsOf = (file, ...words) => list(file, ...words).rows.length;

async function checkTable(page, address, file) {
  await show(page, address, "apis", "?cost=cycles");
  const shown = (await cells(page)).map((row) => row.slice(0, 6));
  const text = gnomon(given.gnomon, ["api", "list", "--cost", "cycles", file], false).split("\n").slice(2).filter(Boolean);
  expect("the table has rows", shown.length > 20, shown.length);
  shown.slice(0, 30).forEach((row, i) => same(`line ${i} of the table is that of gnomon api list`, row, text[i].trim().split(/\s+/).slice(1, 7)));
  for (const [id, name] of [["calls", "count"], ["mean", "mean"], ["deviation", "deviation"], ["least", "least"], ["most", "most"], ["sum", "sum"]]) {
    await show(page, address, "apis", "?cost=cycles");
    for (const way of ["falls", "rises"]) {
      if (id !== "sum" || way !== "falls") await page.locator(".row.head button", {hasText: new RegExp("^" + id)}).click();
      await drawn(page);
      const values = await page.evaluate(([key, falls]) => profileOf("api").list({cost: "cycles"}).map((row) => row[key] === null ? -1n : row[key]).sort((a, b) => (a < b ? -1 : 1) * (falls ? -1 : 1)).slice(0, 5)
        .map((value) => typeof value === "bigint" ? value === -1n ? "-" : key === "count" || key === "sum" ? bound(value) : count(value) : sixDigits(value)), [name, way === "falls"]);
      const column = ["calls", "mean", "deviation", "least", "most", "sum"].indexOf(id), got = (await cells(page)).slice(0, 5).map((row) => row[column]);
      const known = (one) => one !== "-" && one !== "0"; /* sums that are not known are shown as none */
      if (got.every(known) && values.every(known)) same(`order: ${id} ${way}`, got, values);
    }
  }
}

async function checkFigures(page, address, file) {
  await show(page, address, "apis");
  const whole = list(file), costs = [...new Set(whole.rows.map((row) => row.cost))];
  expect("the header is the first line of gnomon api list", (await page.textContent("#run")).includes(`: ${whole.about}`), await page.textContent("#run"), whole.about);
  same("rows of own cycles", await pageRows(page, {cost: "own-cycles"}), await listRows(page, list(file, "--cost", "own-cycles").rows));
  for (const [state, words] of choicesOf(file))
    for (const cost of costs)
      same(`rows of ${cost} ${words.join(" ")}`, await pageRows(page, {...state, cost}), await listRows(page, list(file, ...words).rows.filter((row) => row.cost === cost)));
}

/* The choice is made by the controls, and is in the link. */
async function checkFilters(page, address, file) {
  await show(page, address, "apis");
  await page.selectOption("#by-scenario", "large picture");
  await page.waitForFunction(() => location.hash.includes("scenario=large"));
  await drawn(page);
  same("chosen by scenario", Number((await page.textContent("#view .tools")).match(/(\d+) of \d+ functions/)[1]), rowsOf(file, "--cost", "cycles", "--scenario", "large picture"));
  await page.selectOption("#by-device", "usb:ulx3s");
  await page.waitForFunction(() => location.hash.includes("device=usb"));
  await drawn(page);
  const link = await page.evaluate(() => location.hash);
  expect("the link has both", /scenario=large.*device=usb|device=usb.*scenario=large/.test(link), link);
  same("the tabs keep the choice", await page.getAttribute("#tab-spectrum", "href"), "#spectrum?scenario=large+picture&device=usb%3Aulx3s");
  await page.goto("about:blank");
  await page.goto(address + link);
  await page.waitForSelector(".rows .row");
  same("a link leads to the same choice", await page.inputValue("#by-device"), "usb:ulx3s");
  await page.fill("#search", "png_9");
  await page.selectOption("#by-cost", "bytes");
  await page.waitForFunction(() => location.hash.includes("cost=bytes"));
  same("what was typed stays", await page.inputValue("#search"), "png_9");
  await drawn(page);
  expect("bytes have blocks", (await page.textContent(".row.head")).includes("blocks"));
}

async function checkSearch(page, address) {
  await show(page, address, "apis", "?cost=cycles");
  const found = async () => Number((await page.textContent("#view .tools")).match(/([\d,]+) of/)[1]);
  for (const [text, matches] of [["png_3", (name) => name.includes("png_3")], ["^png_[12]$", (name) => /^png_[12]$/.test(name)], ["decode", (name) => name.includes("decode")], ["(", (name) => name.includes("(")]]) {
    await press(page, "/");
    await page.fill("#search", text);
    await drawn(page);
    const names = await page.evaluate(() => profileOf("api").list({cost: "cycles"}).map((row) => row.name));
    same(`search ${text}`, await found(), names.filter(matches).length);
  }
}

/* The card beside the table: each bucket's count, share and sum. */
async function checkHistogram(page, address, file) {
  const row = list(file, "--cost", "cycles").rows.find((one) => one.symbol === "png_11");
  await show(page, address, "apis", "?cost=cycles&function=png_11&build=" + row.build);
  const group = (text) => BigInt(text).toLocaleString("en-US");
  const wanted = row.buckets.map((one) => [group(one.count), (100 * Number(one.count) / Number(row.count)).toFixed(2) + " %", group(one.sum)]);
  same("histogram", await page.evaluate(() => [...document.querySelectorAll(".histogram tbody tr")].map((line) => [1, 2, 4].map((at) => line.children[at].textContent))), wanted);
  const widths = await page.evaluate(() => [...document.querySelectorAll(".histogram tbody tr")].map((line) => line.children[3].firstChild.getBoundingClientRect().width));
  const most = Math.max(...row.buckets.map((one) => Number(one.count)));
  expect("the bars are as long as the counts", row.buckets.every((one, i) => Math.abs(widths[i] / Math.max(...widths) - Number(one.count) / most) < 0.02), widths);
}

/* ---- The spectrum ---- */

/* The colour in the middle of each cell on the screen is the scale's, mixed with the ground by the number of calls. */
async function checkSpectrum(page, address, file, color) {
  await show(page, address, "spectrum", `?cost=cycles&program=viewer.elf&color=${color}&order=mean`);
  const got = await page.evaluate(() => {
    const canvas = document.querySelector("canvas"), context = canvas.getContext("2d"), ratio = devicePixelRatio;
    const rows = profileOf("api").list({cost: "cycles", program: "viewer.elf"}).slice().sort((a, b) => b.mean - a.mean || (a.name < b.name ? -1 : 1));
    const logs = rows.flatMap((row) => row.buckets.map((one) => one.log2)), from = Math.min(...logs), to = Math.max(...logs);
    const width = canvas.clientWidth, names = Math.min(220, width * 0.4), cell = Math.max(4, (width - names) / (to - from + 1)), lines = Math.floor(canvas.clientHeight / 16) - 1;
    const {data: pixels} = context.getImageData(0, 0, canvas.width, canvas.height), at = (x, y) => 4 * (Math.round(y * ratio) * canvas.width + Math.round(x * ratio));
    const pixel = (x, y) => [...pixels.slice(at(x, y), at(x, y) + 3)];
    return {ground: [255, 255, 255], cells: rows.slice(0, lines).flatMap((row, line) => row.buckets.map((one) =>
      ({symbol: row.symbol, build: row.build, log2: one.log2, share: (one.log2 - from) / (to - from), pixel: pixel(names + (one.log2 - from + 0.5) * cell, (line + 1) * 16 + 8)})))};
  });
  const rows = list(file, "--cost", "cycles").rows.filter((row) => row.program === "viewer.elf"), all = rows.flatMap((row) => row.buckets);
  const most = Math.max(...all.map((one) => Number(one.count))), mostSum = Math.max(...all.map((one) => Number(one.sum)));
  const stops = [[32, 112, 200], [142, 112, 150], [222, 92, 24]];
  const wrong = got.cells.filter((cell) => {
    const one = rows.find((row) => row.symbol === cell.symbol && row.build === cell.build).buckets.find((bucket) => bucket.log2 === cell.log2);
    const alpha = 0.3 + 0.7 * Math.log2(Number(one.count)) / Math.log2(most), heat = color === "sum" ? 1 + Math.log10(Math.max(1e-4, Number(one.sum) / mostSum)) / 4 : cell.share;
    const place = 2 * heat, stop = Math.min(1, Math.floor(place)), hue = stops[stop].map((value, i) => value + (stops[stop + 1][i] - value) * (place - stop));
    return hue.some((value, i) => Math.abs(got.ground[i] + (value - got.ground[i]) * alpha - cell.pixel[i]) > 3);
  });
  expect(`spectrum by ${color}: colours and intensities`, got.cells.length > 100 && !wrong.length, got.cells.length, got.ground, wrong.slice(0, 3));
}

async function checkSpectrumUse(page, address, file) {
  await show(page, address, "spectrum", "?cost=cycles&program=viewer.elf");
  const rows = list(file, "--cost", "cycles").rows.filter((row) => row.program === "viewer.elf"), [first, second] = rows;
  const said = () => page.textContent("#say");
  await press(page, "ArrowDown", "ArrowRight", "ArrowRight");
  const bucket = second.buckets[1];
  expect("arrows say the cell's numbers", (await said()).includes(`${second.function},`) && (await said()).includes(`: ${Number(bucket.count)} calls, `) && (await said()).includes(`sum ${BigInt(bucket.sum).toLocaleString("en-US")}`), await said(), second);
  expect("the link has the function", (await page.evaluate(() => location.hash)).includes("function=" + second.symbol));
  await press(page, "ArrowUp");
  const box = await page.locator("canvas").boundingBox(), cell = await page.evaluate((log2) => {
    const logs = profileOf("api").list({cost: "cycles", program: "viewer.elf"}).flatMap((row) => row.buckets.map((one) => one.log2)), from = Math.min(...logs), to = Math.max(...logs);
    const width = document.querySelector("canvas").clientWidth, names = Math.min(220, width * 0.4);
    return names + (log2 - from + 0.5) * (width - names) / (to - from + 1);
  }, first.buckets[2].log2);
  await page.mouse.move(box.x + cell, box.y + 24);
  const tip = await page.textContent("#tip");
  expect("the pointer shows the numbers", tip.startsWith(first.function) && tip.includes(`: ${Number(first.buckets[2].count)} calls`) && tip.includes(`sum ${BigInt(first.buckets[2].sum).toLocaleString("en-US")}`), tip, first.buckets[2]);
  await press(page, "End", "Enter");
  await page.waitForSelector("#view[data-view=drill] .histogram");
  expect("Enter leads to the sources", (await page.textContent("#view h2")).includes(rows.at(-1).function), await page.textContent("#view h2"));
}

/* ---- Drill-down ---- */

async function checkDrill(page, address, file) {
  await show(page, address, "drill", "?cost=cycles");
  const whole = list(file, "--cost", "cycles"), group = (value) => value.toLocaleString("en-US");
  const viewer = whole.rows.filter((row) => row.program === "viewer.elf"), add = (rows, key) => rows.reduce((all, row) => all + BigInt(row[key]), 0n);
  const line = (await cells(page)).find((row) => row.at(-1).endsWith("viewer.elf"));
  const runs = whole.sources.filter((one) => one.program === "viewer.elf").reduce((all, one) => all + BigInt(one.runs), 0n);
  same("a program's sums", [line[0], line[2], line[3], line[4]], [group(runs), group(viewer.length), group(add(viewer, "count")), group(add(viewer, "sum"))]);
  expect("what is not exact is marked", line.at(-1) === "+ viewer.elf", line);
  const steps = [["program", /viewer\.elf/], ["build", /aaaa/], ["scenario", /large picture/], ["device", /sim:full/]];
  for (const [dimension, text] of steps) {
    await page.locator(".rows a", {hasText: text}).click();
    await page.waitForFunction((name) => location.hash.includes(name + "="), dimension);
    await drawn(page);
  }
  const rows = list(file, "--cost", "cycles", "--build", "aa", "--scenario", "large picture", "--on", "sim:full").rows;
  const shown = (await cells(page)).map((row) => [row[0], row[2], row[3].replace("+ ", "")]);
  same("the functions of one source", shown.slice(0, 20), rows.slice(0, 20).map((row) => [group(BigInt(row.count)), group(BigInt(row.sum)), row.function]));
  expect("the path is shown", /all . program viewer\.elf . build aaaaaaaa . scenario large picture . device sim:full/.test(await page.textContent(".crumbs")), await page.textContent(".crumbs"));
  await page.locator(".rows a", {hasText: rows[0].function}).first().click();
  await page.waitForSelector(".histogram");
  expect("a function has its line", (await page.textContent("#view code")).endsWith(`${rows[0].file}:${rows[0].line}`), await page.textContent("#view code"));
  await page.locator(".crumbs a", {hasText: "program"}).click();
  await page.waitForSelector("#view .rows");
  expect("the path leads back", (await cells(page)).length === 2);
  await press(page, "ArrowDown", "Enter");
  await page.waitForFunction(() => location.hash.includes("build="));
}

/* The source's text, of a file that is here. */
async function checkSource(browser) {
  const server = await serve(given.gnomon, ["-q", given.measured]), {page, wrong, close} = await open(browser, server.address);
  const row = list(given.measured).rows.find((one) => one.file && one.line && fs.existsSync(one.file));
  await show(page, server.address + "/", "drill", "?function=" + row.symbol);
  const line = fs.readFileSync(row.file, "utf8").split("\n")[row.line - 1];
  expect("the line of the declaration", (await page.textContent(".excerpt .here")).includes(line), await page.textContent(".excerpt .here"), line);
  same("source: nothing went wrong", wrong, []);
  await close();
  await server.stop();
  const folder = path.resolve(given.out, "no-source.ui");
  gnomon(given.gnomon, ["ui", "-q", "--no-source", "--export", folder, given.measured], false);
  expect("--no-source leaves it out", !fs.readFileSync(path.join(folder, "api.js"), "utf8").includes(line.trim()));
}

/* ---- Verdicts ---- */

async function checkVerdicts(page, address, file, before) {
  const check = gnomonStatus(["check", "--json", "--against", before, file], 4);
  await show(page, address, "worse");
  expect("how many are worse", (await page.textContent("#verdict")).startsWith(`${check.worse} of ${check.functions.length} functions and costs WORSE`), await page.textContent("#verdict"));
  same("verdicts", await page.evaluate(() => data.verdicts.functions.map((one) => JSON.stringify(one))), check.functions.map((one) => JSON.stringify(one)));
  const wanted = check.functions.slice().sort((a, b) => (a.worse ? 0 : a.too_few_calls ? 1 : 2) - (b.worse ? 0 : b.too_few_calls ? 1 : 2));
  const rows = (await cells(page)).slice(0, check.worse).map((row) => [row[0], row[1].replace("+ ", ""), row.at(-1)]);
  same("those that are worse come first", rows, wanted.slice(0, check.worse).map((one) => ["WORSE", one.function, String(Number(one.adjusted.toPrecision(3)))]));
  await page.locator(".rows .row").first().click();
  await drawn(page);
  const heads = await page.evaluate(() => [...document.querySelectorAll(".side h2")].map((head) => head.textContent));
  same("both distributions", heads, [wanted[0].function, "now: " + path.basename(file), "before: " + path.basename(before)]);
}

function gnomonStatus(words, wanted) {
  const done = require("node:child_process").spawnSync(given.gnomon, words, {encoding: "utf8", maxBuffer: 1 << 30});
  same(`gnomon ${words[0]}: status`, done.status, wanted);
  return JSON.parse(done.stdout);
}

/* ---- A call stack ---- */

async function checkStack(browser) {
  for (const words of [[given.recording, given.recorded], ["--api", given.recorded, given.recording]]) {
    const server = await serve(given.gnomon, ["-q", ...words]), {page, wrong, close} = await open(browser, server.address);
    const rows = list(given.recorded, "--cost", "cycles").rows;
    for (const [measure, least] of [["mean", 1000], ["sum", 50000]]) {
      await show(page, server.address + "/", "flame", `?api=${measure}&least=${least}`);
      const got = await page.evaluate(() => data.functions.name.slice(0, data.functions.profiled).filter((_, i) => isCostly(i)).sort());
      same(`costly by ${measure}`, got, rows.filter((row) => (measure === "mean" ? row.mean : Number(row.sum)) >= least).map((row) => row.function).sort());
    }
    await page.screenshot({path: path.join(given.out, "stack.png")});
    const hot = await page.evaluate(() => {
      const canvas = document.querySelector("canvas"), {data: pixels} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let at = 0; at < pixels.length; at += 4) if (pixels[at] === 0xe8 && pixels[at + 1] === 0x74 && pixels[at + 2] === 0x3c) found++;
      return found;
    });
    expect("costly frames stand out", hot > 500, hot);
    await press(page, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
    const names = await page.locator(".side dt").allTextContents(), figures = await page.locator(".side dd").allTextContents(), row = rows.find((one) => one.function === names[0]);
    const wanted = [row.most, row.count, row.sum].map((text) => BigInt(text).toLocaleString("en-US"));
    same("the list of the stack has the API's figures", figures[0], `mean ${await page.evaluate((value) => sixDigits(value), row.mean)}, most ${wanted[0]}, ${wanted[1]} calls, sum ${wanted[2]}`);
    expect("the tooltip, too", (await page.textContent("#say")).includes("sqlite.gnp: cycles mean") || (await page.textContent("#say")).includes(`${path.basename(given.recorded)}: cycles mean`), await page.textContent("#say"));
    await page.fill("#least", "1e15");
    await press(page, "Enter", "Tab");
    expect("the reader chooses the least", (await page.textContent(".side")).includes("No function of this stack is costly") && (await page.evaluate(() => location.hash)).includes("least=1e15"), await page.textContent(".side"));
    await page.selectOption("#api", "off");
    same("off", await page.evaluate(() => data.functions.name.filter((_, i) => isCostly(i)).length), 0);
    for (const view of ["apis", "spectrum", "drill"]) await show(page, server.address + "/", view);
    same("stack: nothing went wrong", wrong, []);
    await close();
    await server.stop();
  }
}

/* ---- Names that try to be more than text ---- */

async function checkHostile(browser) {
  const folder = path.resolve(given.out, "hostile-api.ui");
  gnomon(given.gnomon, ["ui", "-q", "--export", folder, given.hostile, given.hostile], false);
  const server = await serve(given.gnomon, ["-q", given.hostile, given.hostile]);
  for (const [allowed, address] of [[server.address, server.address + "/"], ["file://" + folder, `file://${folder}/index.html`]]) {
    const {page, wrong, close} = await open(browser, allowed);
    for (const view of apiViews) {
      await show(page, address, view);
      same(`${view}: no element comes from a name`, await page.locator("main img, main script, main svg").count(), 0);
    }
    await show(page, address, "apis");
    const names = await page.evaluate(() => profileOf("api").list({}).map((row) => row.name));
    expect("control characters and directions are replaced", !names.some((name) => /[\u0000-\u001f\u202a-\u202e\u200b]/.test(name)) && names.some((name) => name.includes("\ufffd")), names);
    expect("the other names are whole", names.some((name) => name === "<script>window.broken=1</script>") && names.includes("__proto__") && names.some((name) => name.length > 5000));
    for (const symbol of await page.evaluate(() => profileOf("api").list({}).map((row) => row.symbol).slice(0, 16)))
      await show(page, address, "drill", "?" + new URLSearchParams({function: symbol}));
    expect("nothing of a name has run", await page.evaluate(() => window.broken === undefined));
    same("hostile: nothing went wrong", wrong, []);
    await close();
  }
  await server.stop();
}

/* ---- What everybody can use ---- */

/* Each control has a name, and each view can be reached and left by keyboard. */
async function checkAccess(page, address) {
  for (const view of apiViews) {
    await show(page, address, view);
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas, [role=grid], nav, a")].filter((element) =>
      !(element.getAttribute("aria-label") || element.textContent.trim() || element.title || (element.labels && element.labels.length))).map((element) => element.outerHTML));
    same(`${view}: every control has a name`, nameless, []);
    expect(`${view}: the focus is in the view`, await page.evaluate(() => byId("view").contains(document.activeElement)));
  }
  await show(page, address, "apis");
  const places = new Set();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    places.add(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName + document.activeElement.className));
  }
  for (const id of ["search", "by-cost", "by-scenario", "tab-drill", "theme"]) expect(`Tab reaches ${id}`, places.has(id), [...places]);
  for (const [key, view] of [["2", "spectrum"], ["3", "drill"], ["4", "worse"], ["1", "apis"]]) {
    await page.locator("#view").focus();
    await press(page, key);
    await page.waitForSelector(`#view[data-view=${view}]`);
  }
  await press(page, "?");
  expect("? shows the keys", await page.locator("#help[open]").count() === 1);
  await press(page, "Escape");
}

/* ---- From a disk ---- */

async function checkExported(browser) {
  const folder = path.resolve(given.out, "kinds.ui");
  gnomon(given.gnomon, ["ui", "-q", "--export", folder, given.later, given.kinds], false);
  same("five files", fs.readdirSync(folder).sort(), ["api.js", "gnomon.css", "gnomon.js", "index.html", "profile.js"]);
  const {page, wrong, close} = await open(browser, "file://" + folder);
  for (const view of apiViews) {
    await show(page, `file://${folder}/index.html`, view, view === "spectrum" ? "?theme=dark" : "");
    expect(`from a disk, ${view}: the first line says why it is not exact`, /^NOT EXACT: .*events were lost/.test(await page.textContent("#worth")), await page.textContent("#worth"));
    await page.screenshot({path: path.join(given.out, `kinds-${view}.png`)});
  }
  same("from a disk: nothing went wrong", wrong, []);
  await close();
}

/* ---- 10,000 functions in 5 sources ---- */

async function checkBig(browser) {
  const server = await serve(given.gnomon, ["-q", given.big]), {page, wrong, close} = await open(browser, server.address);
  const {rows} = list(given.big), address = server.address + "/";
  for (const view of ["apis", "spectrum", "drill"]) {
    await show(page, address, view);
    for (const key of ["ArrowDown", "PageDown", "End", "Home"]) await press(page, key);
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    expect(`${view}: few elements`, elements < MOST_ELEMENTS, elements);
  }
  await show(page, address, "apis");
  same("all functions, all calls", await page.evaluate(() => { const all = profileOf("api").list({}); return [all.length, String(all.reduce((sum, row) => sum + row.count, 0n)), String(all.reduce((sum, row) => sum + row.sum, 0n))]; }),
    [rows.length, ...["count", "sum"].map((name) => String(rows.reduce((sum, row) => sum + BigInt(row[name]), 0n)))]);
  await page.selectOption("#by-scenario", "scenario 3");
  await page.waitForFunction(() => location.hash.includes("scenario="));
  await drawn(page);
  await press(page, "/");
  await page.fill("#search", "_09999$");
  same("search among all", await page.evaluate(() => document.querySelectorAll(".rows .row").length), 1);
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const {usedSize} = await client.send("Runtime.getHeapUsage");
  console.log(`10,000 functions in 5 sources: ${Math.round(usedSize / 1e6)} MB in the browser`);
  expect("little memory", usedSize < MOST_BYTES, usedSize);
  same("big: nothing went wrong", wrong, []);
  await close();
  await server.stop();
}

/* What is chosen has doubts of its own. */
async function checkDoubts(page, address) {
  await show(page, address, "apis", "?cost=cycles&scenario=start");
  same("rows without a doubt are exact", [await page.getAttribute("#worth", "class"), await page.textContent("#worth")], ["exact", "counted exactly"]);
  expect("the header says what the whole has", (await page.textContent("#run")).includes("some sums too large: at least"));
  await show(page, address, "apis", "?cost=cycles&program=zip.elf");
  expect("lower bounds are shown", (await page.textContent("#worth")).startsWith("NOT EXACT: some sums are lower bounds") && (await cells(page))[0].slice(0, 7).includes(">=18,446,744,073,709,551,615"), await cells(page));
  await show(page, address, "apis", "?cost=cycles&program=(none)");
  const [row] = await cells(page);
  same("sums that are not known are not shown", [row[1], row[2], row[5], row[6]], ["-", "-", "-", "+ img::decode(char const*)"]);
}

async function checkServed(browser) {
  const server = await serve(given.gnomon, ["-q", given.later, given.kinds]), address = server.address + "/";
  const {page, wrong, close} = await open(browser, server.address, WIDE);
  await checkFigures(page, address, given.later);
  await checkTable(page, address, given.later);
  await checkDoubts(page, address);
  await checkFilters(page, address, given.later);
  await checkSearch(page, address);
  await checkHistogram(page, address, given.later);
  await checkSpectrum(page, address, given.later, "cost");
  await checkSpectrum(page, address, given.later, "sum");
  await checkSpectrumUse(page, address, given.later);
  await checkDrill(page, address, given.later);
  await checkVerdicts(page, address, given.later, given.kinds);
  await checkAccess(page, address);
  same("nothing went wrong, and nothing was asked of another server", wrong, []);
  await close();
  await server.stop();
}

async function main() {
  fs.mkdirSync(given.out, {recursive: true});
  const browser = await launch();
  await checkServed(browser);
  await checkExported(browser);
  await checkSource(browser);
  await checkStack(browser);
  await checkHostile(browser);
  await checkBig(browser);
  await browser.close();
  process.exit(result());
}

main().catch((error) => {
  console.log("FAIL ", error.stack);
  process.exit(1);
});
