"use strict";

// Looks at the status page in Chromium, on a desktop and on a phone.
//
//   node status_page_test.js SERVER CHROMIUM PACKAGES [SCREENSHOTS]
//
// SERVER is the program status_page_server, PACKAGES the folder that playwright-core was installed into. With a folder
// for SCREENSHOTS, it also writes those of the documentation.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const path = require("node:path");
const readline = require("node:readline");
const { after, before, test } = require("node:test");

const [serverProgram, chromium, packages, screenshots] = process.argv.slice(2);
const playwright = createRequire(path.join(path.resolve(packages), "package.json"))("playwright-core");

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const NARROWEST = { width: 320, height: 640 };

// The made-up coordinator.
class Server {
  static async start(address = "127.0.0.1:0") {
    const server = new Server();
    server.process = spawn(serverProgram, [address], { stdio: ["pipe", "pipe", "inherit"] });
    server.ended = new Promise((resolve) => server.process.once("exit", resolve));
    server.lines = readline.createInterface({ input: server.process.stdout })[Symbol.asyncIterator]();
    server.url = await server.nextLine();
    return server;
  }
  async nextLine() {
    const { value, done } = await this.lines.next();
    assert.ok(!done, "the server ended too early");
    return value;
  }
  async tell(command) {
    this.process.stdin.write(command + "\n");
    assert.equal(await this.nextLine(), command);
  }
  async stop() {
    this.process.stdin.end();
    await this.ended;
  }
}

let browser;
before(async () => {
  browser = await playwright.chromium.launch({
    executablePath: chromium,
    chromiumSandbox: process.getuid() !== 0,
  });
});
after(() => browser.close());

// Opens the page as someone would who notices every complaint of the browser.
async function visit(server, options) {
  const context = await browser.newContext({ ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    page.complaints.push("a dialog: " + dialog.message());
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) page.complaints.push("a request to " + request.url());
  });
  await page.goto(server.url);
  await page.locator("#main").waitFor();
  return page;
}

const text = (page, selector) => page.locator(selector).innerText();

async function waitForText(page, selector, expected) {
  await page.waitForFunction(
    ([where, what]) => document.querySelector(where).textContent.includes(what), [selector, expected]);
}

async function expectNoSidewaysScrolling(page) {
  const widths = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
    widest: [...document.querySelectorAll("main *:not(thead):not(thead *)")]
      .map((element) => [element.getBoundingClientRect().right, element.id || element.className])
      .sort((a, b) => b[0] - a[0])[0],
  }));
  assert.ok(widths.page <= widths.window, `scrolls sideways: ${JSON.stringify(widths)}`);
  assert.ok(widths.widest[0] <= widths.window + 0.5, `sticks out: ${JSON.stringify(widths)}`);
}

// The lowest contrast between a text and what is behind it, by the formula of WCAG 2.
function lowestContrast(page) {
  return page.evaluate(() => {
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = (color) => {
      const [r, g, b] = channels(color).slice(0, 3).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = getComputedStyle(at).backgroundColor;
        if (channels(color)[3] !== 0) return color;
      }
      return "rgb(255, 255, 255)";
    };
    let lowest = { contrast: 21, text: "" };
    for (const element of document.querySelectorAll("body *")) {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (own.length === 0 || !element.checkVisibility()) continue;
      const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < lowest.contrast) lowest = { contrast, text: element.textContent };
    }
    return lowest;
  });
}

test("a desktop shows how the study stands", async () => {
  const server = await Server.start();
  const page = await visit(server, { viewport: DESKTOP });
  assert.equal(await text(page, "#study"), "stroke-outcomes-2030");
  assert.equal(await text(page, "#phase"), "running");
  assert.equal(await text(page, "#method"), "AugFLAIM (Private)");
  assert.equal(await text(page, "#round"), "8");
  assert.equal(await text(page, "#round-of"), "of 10");
  assert.match(await text(page, "#left"), /^7 done, about \d+ s left$/);
  assert.equal(await text(page, "#spent"), "70%");
  assert.equal(await page.locator("#spent-bar").getAttribute("value"), "0.7");
  assert.equal(await text(page, "#promise"), "ε 1, δ 1e−6; each site ρ 0.027");
  assert.equal(await text(page, "#online"), "5");
  assert.equal(await text(page, "#online-of"), "of 6");
  assert.equal(await text(page, "#needed"), "at least 3 needed");
  assert.equal(await text(page, "#records"), "≈ 48,835");
  assert.equal(await text(page, "#sent"), "7.4 MB");
  assert.equal(await text(page, "#sum-name"), "marginals of round 8");
  assert.equal(await text(page, "#sum-stage"), "masked vectors");
  assert.equal(await text(page, "#sum-answers"), "4 of 5 answered");
  assert.equal(await page.locator("#sites tr").count(), 6);
  const lost = page.locator("#sites tr.lost td");
  assert.match((await lost.allInnerTexts()).join("|"), /^hospital-3\|4\d s ago\|3\|0.0081\|1.2 MB\|4.3 MB$/);
  assert.equal(await page.locator("#rounds > li").count(), 7);
  assert.deepEqual(await page.locator("#rounds > li").first().locator(".chips li").allInnerTexts(),
                   ["diagnosis × drug_1", "age × diagnosis"]);
  assert.match(await text(page, "#log"), /warning site lost\s+site=hospital-3/);
  assert.equal(await page.locator(".banner:visible").count(), 0);
  await expectNoSidewaysScrolling(page);
  assert.deepEqual(page.complaints, []);
  if (screenshots) await page.screenshot({ path: path.join(screenshots, "status-desktop.png") });
  await page.context().close();
  await server.stop();
});

test("a phone shows the same without sideways scrolling", async () => {
  const server = await Server.start();
  for (const viewport of [PHONE, NARROWEST]) {
    const page = await visit(server, { viewport, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
    assert.equal(await text(page, "#round"), "8");
    assert.equal(await page.locator("#sites tr:visible").count(), 6);
    assert.match(await page.locator("#sites tr.lost").innerText(), /hospital-3\s+4\d s ago/);
    await expectNoSidewaysScrolling(page);
    assert.deepEqual(page.complaints, []);
    if (screenshots && viewport === PHONE) {
      await page.screenshot({ path: path.join(screenshots, "status-phone.png") });
    }
    await page.context().close();
  }
  await server.stop();
});

test("forty sites with hostile names do nothing but appear", async () => {
  const server = await Server.start();
  await server.tell("many");
  await server.tell("hostile");
  for (const viewport of [DESKTOP, PHONE, NARROWEST]) {
    const page = await visit(server, { viewport });
    assert.equal(await page.locator("#sites tr").count(), 12);
    assert.match(await page.locator("#sites tr").first().innerText(), /turned around/, "who is missing comes first");
    await page.locator("#more-sites").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#sites tr").count(), 40);
    assert.equal(await text(page, "#study"), "<script>alert('study')</script>");
    assert.ok((await page.locator("#sites .name").allInnerTexts()).includes("<img src=x onerror=alert(1)>"));
    assert.equal(await page.locator("main img, main b, main i, main u, main script").count(), 0);
    assert.equal(await text(page, "#failure-text"), "<u>failure</u>");
    assert.match(await page.locator("#sites tr.unapproved").innerText(), /not approved/);
    await expectNoSidewaysScrolling(page);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
  await server.stop();
});

test("the page follows the study to its end", async () => {
  const server = await Server.start();
  const page = await visit(server, { viewport: DESKTOP });
  await page.evaluate(() => { document.querySelector("#sites tr").dataset.kept = "yes"; });
  await server.tell("round");
  await waitForText(page, "#round", "9");
  assert.equal(await page.locator("#rounds > li").count(), 8);
  assert.equal(await text(page, "#spent"), "80%");
  assert.equal(await page.locator("#sites tr[data-kept]").count(), 1, "rows are kept, not made anew");
  await server.tell("finish");
  await waitForText(page, "#phase", "finished");
  assert.equal(await text(page, "#result-text"), "study/model.flaim");
  assert.equal(await page.locator("#sum").isVisible(), false);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  await server.stop();
});

test("research is called what it is, and promises nothing", async () => {
  const server = await Server.start();
  await server.tell("research");
  const page = await visit(server, { viewport: PHONE });
  assert.match(await text(page, "#research"), /NOT private/);
  assert.match(await text(page, "#promise"), /promises nothing/);
  await expectNoSidewaysScrolling(page);
  await page.context().close();
  await server.stop();
});

test("a study without sites says how to begin", async () => {
  const server = await Server.start();
  await server.tell("empty");
  const page = await visit(server, { viewport: PHONE });
  assert.match(await text(page, "#no-sites"), /flaim coordinator invite/);
  assert.match(await text(page, "#no-rounds"), /No round/);
  await expectNoSidewaysScrolling(page);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  await server.stop();
});

test("a coordinator that does not answer is noticed, and so is its return", async () => {
  let server = await Server.start();
  const page = await visit(server, { viewport: PHONE });
  await server.stop();
  await page.locator("#silence").waitFor();
  assert.match(await text(page, "#silence"), /The coordinator does not answer\.[\s\S]*(Next try in|Trying again)/);
  assert.equal(await text(page, "#round"), "8", "what was known stays");
  await expectNoSidewaysScrolling(page);
  server = await Server.start(new URL(server.url).host);
  await page.locator("#retry").click();
  await page.locator("#silence").waitFor({ state: "hidden" });
  await page.context().close();
  await server.stop();
});

test("dark and light are readable", async () => {
  const server = await Server.start();
  await server.tell("research");
  await server.tell("hostile");
  const grounds = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await visit(server, { viewport: DESKTOP, colorScheme });
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    const lowest = await lowestContrast(page);
    assert.ok(lowest.contrast >= 4.5, `${colorScheme}: ${JSON.stringify(lowest)}`);
    await page.context().close();
  }
  assert.notEqual(grounds[0], grounds[1]);
  await server.stop();
});
