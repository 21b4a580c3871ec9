// SPDX-License-Identifier: Apache-2.0
/* The page of gnomon ui with 1,000,000 functions and with 10,000,000 events: what is drawn and sent for a view does not
 * grow with the recording.
 *
 * usage: test_big.js --gnomon COMMAND --out DIR --functions FILE --events FILE */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const {expect, same, result, serve, open, show, drawn, launch, options} = require("./browser.js");

const given = options(process.argv.slice(2));
const MOST_ELEMENTS = 1500, MOST_TILE = 2 << 20;

/* Uses the keys, and prints how long the longest took until the picture was there: for people, no check. */
async function use(page, name, keys) {
  let longest = 0;
  for (const key of keys) {
    const from = performance.now();
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    longest = Math.max(longest, performance.now() - from);
  }
  await drawn(page);
  console.log(`${name}: the slowest of ${keys.length} keys took ${Math.round(longest)} ms`);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  expect(`${name}: few elements`, elements < MOST_ELEMENTS, elements);
}

async function checkFile(browser, name, file, functions, calls) {
  const server = await serve(given.gnomon, [file]);
  const {page, wrong, close} = await open(browser, server.address);
  const tiles = [];
  page.on("response", async (response) => { if (/tile-/.test(response.url())) tiles.push((await response.body().catch(() => "")).length); });
  const from = performance.now();
  await show(page, server.address + "/", "flame");
  console.log(`${name}: flame graph after ${((performance.now() - from) / 1000).toFixed(1)} s`);
  same(`${name}: functions`, await page.evaluate(() => data.functions.profiled), functions);
  const sums = await page.evaluate(() => [data.functions.calls.reduce((all, one) => all + one, 0), data.paths.self.reduce((all, one) => all + one, 0), data.summary.cycles]);
  expect(`${name}: calls`, sums[0] >= calls, sums);
  same(`${name}: paths add up to the run`, sums[1], sums[2]);
  await use(page, `${name}, flame graph`, ["ArrowUp", "ArrowUp", "Enter", "ArrowRight", "Enter", "Escape", "Home"]);
  await page.screenshot({path: path.join(given.out, `${name}-flame.png`)});
  await show(page, server.address + "/", "functions");
  await use(page, `${name}, functions`, ["ArrowDown", "PageDown", "End", "Home"]);
  await show(page, server.address + "/", "timeline");
  await use(page, `${name}, time line`, ["w", "w", "d", "w", "w", "d", "w", "w", "w", "w", "w", "w", "a", "s", "Home"]);
  await page.screenshot({path: path.join(given.out, `${name}-timeline.png`)});
  expect(`${name}: small tiles`, tiles.length > 5 && Math.max(...tiles) < MOST_TILE, tiles);
  console.log(`${name}: ${tiles.length} tiles of up to ${Math.max(...tiles)} bytes`);
  same(`${name}: nothing went wrong`, wrong, []);
  await close();
  await server.stop();
}

async function main() {
  fs.mkdirSync(given.out, {recursive: true});
  const browser = await launch();
  await checkFile(browser, "events", given.events, 102, 4900000);
  await checkFile(browser, "functions", given.functions, 1000000, 1000000);
  await browser.close();
  process.exit(result());
}

main().catch((error) => {
  console.log("FAIL ", error.stack);
  process.exit(1);
});
