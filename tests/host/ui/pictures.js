// SPDX-License-Identifier: Apache-2.0
/* Takes the pictures of docs/guide/ui.md: each view, of a real recording.
 *
 * usage: pictures.js --gnomon COMMAND --out DIR --old FILE --sqlite FILE --logo FILE --locks FILE --profile FILE */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const {expect, result, serve, open, show, press, launch, options} = require("./browser.js");

const given = options(process.argv.slice(2));

/* Name of the picture, recording, view, what follows its link, keys to press. */
const pictures = [
  ["flame", "sqlite", "flame", "", []],
  ["icicle", "sqlite", "flame", "?form=icicle&search=Btree&theme=dark", []],
  ["functions", "sqlite", "functions", "?function=sqlite3VdbeExec", []],
  ["cpi", "logo", "cpi", "", []],
  ["source", "sqlite", "source", "", []],
  ["histograms", "logo", "histograms", "?theme=dark&function=stbir__decode_scanline", []],
  ["timeline", "sqlite", "timeline", "", ["w"]],
  ["timeline-locks", "locks", "timeline", "?theme=dark", []],
  ["locks", "locks", "locks", "", []],
  ["compare", "sqlite", "compare", "", []],
  ["api-table", "profile", "apis", "?function=sqlite3BtreeInsert", []],
  ["api-spectrum", "profile", "spectrum", "?theme=dark&function=sqlite3BtreeInsert", []],
  ["api-stack", "sqlite", "flame", "?api=mean&least=20000", ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp"]],
];

async function main() {
  fs.mkdirSync(given.out, {recursive: true});
  const browser = await launch();
  for (const [name, recording, view, query, keys] of pictures) {
    const server = await serve(given.gnomon, ["-q", given[recording], ...(view === "compare" ? [given.old] : name === "api-stack" ? [given.profile] : [])]);
    const {page, wrong, close} = await open(browser, server.address, {viewport: {width: 1000, height: 460}});
    await show(page, server.address + "/", view, query);
    await press(page, ...keys);
    await page.screenshot({path: path.join(given.out, name + ".png")});
    expect(name, !wrong.length, wrong);
    await close();
    await server.stop();
  }
  await browser.close();
  process.exit(result());
}

main();
