// SPDX-License-Identifier: Apache-2.0
// Opens a profile in speedscope, which a local server serves, and prints the text of its table of functions, and each request
// that leaves this machine. usage: NODE_PATH=MODULES node speedscope.js CHROMIUM URL PICTURE
const { chromium } = require("playwright-core");

async function main(chromiumPath, url, picture) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith("data:")) console.log(`LEFT ${request.url()}`);
  });
  await page.goto(url);
  await page.getByText("Symbol Name").waitFor({ timeout: 60000 });
  console.log(await page.evaluate(() => document.body.innerText));
  await page.screenshot({ path: picture });
  await browser.close();
}

main(...process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
