// SPDX-License-Identifier: Apache-2.0
// The extension in Visual Studio Code: code-server is its server, and Chromium has its window. Costs are shown on hover and above
// declarations, another file of costs is read when it is written, and one that is wrong is named in a message.
// usage: test_vscode.js OUT VSIX SOURCE COSTS; NODE_PATH has code-server and playwright-core; CHROMIUM can name the browser
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const {spawn, spawnSync} = require('node:child_process');
const {chromium} = require('playwright-core');

const PATIENCE = 300000; // milliseconds: only what hangs takes as long
const [OUT, VSIX, SOURCE, COSTS] = process.argv.slice(2).map((file) => path.resolve(file));
const SERVER = path.join(path.dirname(require.resolve('code-server/package.json')), 'out/node/entry.js');
const WORK = path.join(OUT, 'work');
const FILE = path.join(WORK, 'gnomon-api.json');
const FOLDERS = ['--user-data-dir', path.join(OUT, 'user'), '--extensions-dir', path.join(OUT, 'extensions')];
const ENVIRONMENT = {env: {...process.env, HOME: OUT, EXTENSIONS_GALLERY: '{}'}}; // none is asked

function prepare() {
  fs.rmSync(OUT, {recursive: true, force: true});
  fs.mkdirSync(WORK, {recursive: true});
  fs.copyFileSync(SOURCE, path.join(WORK, path.basename(SOURCE)));
  fs.copyFileSync(COSTS, FILE);
  const done = spawnSync(process.execPath, [SERVER, ...FOLDERS, '--install-extension', VSIX], {...ENVIRONMENT, encoding: 'utf8', timeout: PATIENCE});
  assert.match(done.stdout, /successfully installed/, done.stderr);
}

/** Resolves to the address of the server and to what ends it. */
function serve() {
  const words = [SERVER, ...FOLDERS, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
  const server = spawn(process.execPath, words, {...ENVIRONMENT, detached: true, stdio: ['ignore', 'pipe', fs.openSync(path.join(OUT, 'errors'), 'w')]});
  return new Promise((resolve, reject) => {
    let said = '';
    server.on('exit', (status) => reject(new Error(`code-server ended with status ${status}: ${said}`)));
    server.stdout.on('data', (text) => {
      said += text;
      const address = said.match(/listening on (http:\S+)/);
      if (address) {
        resolve({address: address[1], end: () => process.kill(-server.pid)}); // of its processes, too
      }
    });
  });
}

async function texts(page, selector) {
  return page.$$eval(selector, (found) => found.map((one) => one.textContent));
}

/** Waits until the texts above lines are these. */
async function expectAbove(page, wanted) {
  await page.waitForFunction((all) => JSON.stringify([...document.querySelectorAll('.codelens-decoration')].map((one) => one.textContent.trim())) === all,
    JSON.stringify(wanted), {timeout: PATIENCE}).catch(async (error) => assert.deepEqual(await texts(page, '.codelens-decoration'), wanted, error.message));
}

async function check(page, address) {
  const costs = JSON.parse(fs.readFileSync(COSTS, 'utf8'));
  const source = fs.readFileSync(SOURCE, 'utf8').split('\n').length;
  await page.goto(`${address}?folder=${WORK}`);
  await page.locator('.explorer-folders-view .monaco-list-row', {hasText: path.basename(SOURCE)}).dblclick({timeout: PATIENCE});
  const shown = costs.functions.filter((one) => one.file && path.basename(one.file) === path.basename(SOURCE) && one.line <= source).sort((a, b) => a.line - b.line);
  await expectAbove(page, shown.map((one) => one.short));

  const one = shown.find((entry) => entry.hover.includes('grows with'));
  await page.locator('.view-line span', {hasText: new RegExp(`^${one.name}$`)}).first().hover({timeout: PATIENCE});
  const hover = page.locator('.monaco-hover .hover-contents', {hasText: 'Gnomon: '});
  await hover.waitFor({timeout: PATIENCE});
  const words = await hover.first().textContent();
  assert.ok(words.startsWith(one.hover.replaceAll('**', '').replaceAll('\\', '')), words);
  assert.ok(words.endsWith(`Gnomon: ${costs.about}`), words);
  await page.screenshot({path: path.join(OUT, 'hover.png')});

  fs.writeFileSync(FILE, JSON.stringify({...costs, functions: [{...one, short: 'another cost'}]}));
  await expectAbove(page, ['another cost']);
  fs.writeFileSync(FILE, '{"version": 1,');
  const message = page.locator('.notification-list-item-message', {hasText: 'Gnomon: '});
  await message.waitFor({timeout: PATIENCE});
  assert.match(await message.textContent(), /gnomon-api\.json: it is no JSON .*gnomon api doc --form json/);
  await expectAbove(page, []);
  fs.copyFileSync(COSTS, FILE);
  await expectAbove(page, shown.map((entry) => entry.short));
}

(async () => {
  prepare();
  const server = await serve();
  const browser = await chromium.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});
  try {
    const page = await browser.newPage({viewport: {width: 1200, height: 2400}});
    await check(page, server.address);
    console.log('the extension shows costs on hover and above declarations, reads them again, and says what is wrong');
  } finally {
    await browser.close();
    server.end();
  }
  process.exit(0);
})();
