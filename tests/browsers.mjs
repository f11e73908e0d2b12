// Starts the browser that the environment variable BROWSER names, `chromium` (the default), `firefox` or `webkit`, with the
// interface of playwright for all three. Firefox is driven by WebDriver BiDi. WebKit is the MiniBrowser of WebKitGTK on a
// screen of Xvfb, driven through its inspector: keys, mouse and touch are events that playwright makes in the page.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test as nodeTest } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import playwright from "playwright-core";
import { launchOptions } from "./chromium.mjs";
import { freePort } from "./servers.mjs";

/** The name of the browser under test. */
export const BROWSER = process.env.BROWSER ?? "chromium";

const LAUNCHERS = { chromium: launchChromium, firefox: launchFirefox, webkit: async () => new WebKit() };

/** Browsers that start or run. One whose test file failed before it had it would keep the file from ending. */
const launched = [];
if (process.env.NODE_TEST_CONTEXT) {
  after(() => Promise.allSettled(launched.map(async (starting) => (await starting).close())));
}

/** Starts the browser, Chromium with further flags. It connects only to the pages under test. */
export function launch(flags = []) {
  const launcher = LAUNCHERS[BROWSER];
  if (!launcher) throw new Error(`BROWSER must be one of ${Object.keys(LAUNCHERS).join(", ")}, not ${BROWSER}`);
  const starting = launcher(flags);
  launched.push(starting);
  return starting;
}

/** The options of a test that some browsers, as BROWSER names them, cannot run, and why. */
export const except = (browsers, reason) => ({ skip: browsers.includes(BROWSER) && `not in ${BROWSER}: ${reason}` });

/** What playwright says when it cannot do something in this browser. */
const UNSUPPORTED = /^[\w.]+: .*(Method not implemented|not supported|unknown command|unsupported operation|only available in Chromium)/i;

/** Declares a test as `node:test` does. It is skipped where playwright cannot do in this browser what the test asks of it. */
export const test = declaring(nodeTest);

function declaring(declare) {
  return (name, ...rest) => {
    const run = rest.pop();
    return declare(name, ...rest, async (context) => {
      context.test = declaring(context.test.bind(context));
      try {
        await run(context);
      } catch (error) {
        if (BROWSER === "chromium" || !UNSUPPORTED.test(error.message)) throw error;
        context.skip(error.message.split("\n", 1)[0]);
      }
    });
  };
}

function launchChromium(flags) {
  return playwright.chromium.launch(launchOptions(flags));
}

async function launchFirefox() {
  const executablePath = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);
  if (!executablePath) throw new Error("BROWSER=firefox needs Firefox: apt-get install firefox-esr");
  const browser = await playwright.firefox.launch({ channel: "moz-firefox", executablePath });
  // Firefox 153 does not know this command, which playwright sends for each context, also where nobody asks for a look.
  const session = Object.getPrototypeOf(browser._connection.toImpl(browser)._browserSession);
  const { send } = session;
  session.send = function (method, parameters) {
    const isDefault = !["light", "dark"].includes(parameters?.features?.["prefers-color-scheme"]);
    return method === "emulation.setMediaFeaturesOverride" && isDefault ? Promise.resolve({}) : send.call(this, method, parameters);
  };
  const { newContext } = browser;
  browser.newContext = async function (options = {}) {
    // It takes them, and then a tap makes no event.
    refuse(options, ["hasTouch", "isMobile", "reducedMotion", "forcedColors"]);
    return newContext.call(this, options);
  };
  return browser;
}

/** Throws what `test` takes for a reason to skip, if `options` has one of `names`. */
function refuse(options, names) {
  const found = names.filter((name) => options[name]);
  if (found.length > 0) throw new Error(`browser.newContext: not supported: ${found.join(", ")}`);
}

/** The size of MiniBrowser's window where a test asks for none: that of playwright. */
const VIEWPORT = { width: 1280, height: 720 };

/** The depth of its colours. */
const DEPTH = 24;

/** What a context may ask for. */
const MEDIA = ["colorScheme", "reducedMotion"];

/** Milliseconds between two looks whether MiniBrowser has a page, or is gone, and the number of looks. */
const LOOK_AGAIN = 50;
const LOOKS = 400;

/** Letters of a script in one message: the inspector closes the connection at 128 kB. */
const LONGEST = 30_000;

/** Starts a MiniBrowser for each context, for the inspector of WebKitGTK knows one context with one page. */
class WebKit {
  #contexts = new Set();

  async newContext({ viewport = VIEWPORT, ...options } = {}) {
    refuse(options, Object.keys(options).filter((name) => !MEDIA.includes(name)));
    const mini = await MiniBrowser.start(viewport);
    const browser = await playwright.webkit.connectOverCDP(mini.url);
    const [context] = browser.contexts();
    const [page] = context.pages();
    await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, viewport);
    page.viewportSize = () => viewport;
    if (Object.keys(options).length > 0) await page.emulateMedia(options);
    await context.addInitScript(actAsInput);
    const { press } = page.keyboard;
    page.keyboard.press = async function (key, ...rest) {
      await press.call(this, key, ...rest);
      if (/^(Shift\+)?Tab$/.test(key)) await page.evaluate(moveFocus, key === "Tab" ? 1 : -1);
    };
    const { evaluate } = page;
    page.evaluate = async function (code, argument) {
      if (typeof code !== "string" || code.length < LONGEST) return evaluate.call(this, code, argument);
      for (let at = 0; at < code.length; at += LONGEST) {
        await evaluate.call(this, (part) => void (window.sent = (window.sent ?? "") + part), code.slice(at, at + LONGEST));
      }
      return evaluate.call(this, () => void (0, eval)(window.sent));
    };
    let isGiven = false;
    context.newPage = async () => {
      if (isGiven) throw new Error("context.newPage: not supported: a second page");
      isGiven = true;
      return page;
    };
    context.setOffline = async () => {
      throw new Error("context.setOffline: not supported");
    };
    context.close = async () => {
      this.#contexts.delete(context);
      await browser.close();
      await mini.stop();
    };
    this.#contexts.add(context);
    return context;
  }

  async newPage(options) {
    return (await this.newContext(options)).newPage();
  }

  async close() {
    await Promise.all([...this.#contexts].map((context) => context.close()));
  }
}

/**
 * In the page: has the events that playwright makes leave shadow trees, as those of keys and mouse do, has a press of the mouse begin
 * with that of a pointer and move the focus, and does what some keys do, as a browser does.
 */
function actAsInput() {
  const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
  // What WebKit itself does for events that a page makes is left to it, such as Enter on a button.
  const ACTIVATED = { Enter: "a[href]", " ": "summary, button, [type=checkbox], [type=radio]" };
  const construct = (target, [type, init], own) => Reflect.construct(target, [type, { composed: true, ...init }], own);
  for (const name of ["KeyboardEvent", "MouseEvent", "PointerEvent", "WheelEvent"]) window[name] = new Proxy(window[name], { construct });
  const pointed = (event, type) => {
    const { clientX, clientY, screenX, screenY, button, buttons } = event;
    const mouse = { clientX, clientY, screenX, screenY, button, buttons, pointerId: 1, pointerType: "mouse", isPrimary: true };
    return event.composedPath()[0].dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, view: window, ...mouse }));
  };
  addEventListener("mousedown", (event) => pointed(event, "pointerdown") || event.preventDefault(), { capture: true });
  addEventListener("mouseup", (event) => pointed(event, "pointerup"), { capture: true });
  addEventListener("mousedown", (event) => {
    if (event.defaultPrevented) return;
    const target = event.composedPath().find((node) => node.matches?.(FOCUSABLE));
    if (target) target.focus();
    else document.activeElement?.blur();
  });
  addEventListener("keydown", (event) => {
    if (event.isTrusted || event.defaultPrevented) return;
    const [target] = event.composedPath();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (target.matches?.(ACTIVATED[event.key] ?? ":not(*)")) target.click();
    else if (target instanceof HTMLSelectElement && target.options[target.selectedIndex + step]) {
      target.selectedIndex += step;
      for (const type of ["input", "change"]) target.dispatchEvent(new Event(type, { bubbles: true }));
    } else if (target instanceof HTMLInputElement) editBy(event, target);
  });
  const editBy = (event, input) => {
    const ends = { Home: 0, End: input.value.length };
    if (event.key in ends) input.setSelectionRange(ends[event.key], ends[event.key]);
    else if (["Delete", "Backspace"].includes(event.key)) document.execCommand("delete");
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) input.select();
  };
}

/** In the page: moves the focus to the next element, or to the one before, as the key Tab does. */
function moveFocus(step) {
  const inside = (node) => [...(node.shadowRoot?.children ?? (node.localName === "slot" ? node.assignedElements() : node.children))];
  const isStop = (node) => node.tabIndex >= 0 && !node.shadowRoot && !node.disabled && node.checkVisibility({ visibilityProperty: true });
  const stops = (node) => [...(isStop(node) ? [node] : []), ...inside(node).flatMap(stops)];
  const all = stops(document.body);
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  const at = all.indexOf(active);
  const next = at < 0 ? all.at(step > 0 ? 0 : -1) : all[at + step];
  if (next) next.focus();
  else active.blur();
}

class MiniBrowser {
  /** Starts one whose window has the size of `viewport`. */
  static async start(viewport) {
    const [executable] = globSync("/usr/lib/*/webkit2gtk-4.1/MiniBrowser");
    if (!executable) throw new Error("BROWSER=webkit needs WebKitGTK: apt-get install webkit2gtk-driver xvfb xdotool");
    const home = mkdtempSync(join(tmpdir(), "toponym-webkit-"));
    const inspector = `127.0.0.1:${await freePort()}`;
    const screen = await startScreen(viewport);
    const env = {
      ...process.env,
      DISPLAY: screen.display,
      HOME: home,
      // Its pages have the language en-US. Of C.UTF-8 WebKitGTK makes `C`, which no browser of users says.
      LC_ALL: "C",
      WEBKIT_INSPECTOR_HTTP_SERVER: inspector,
      // The sandbox cannot be set up as root in a container.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    };
    const running = start(executable, ["--full-screen", "about:blank"], { env, stdio: "ignore" });
    // The list of tabs, as playwright asks for it, which WebKitGTK has as HTML.
    const tabs = createServer((_, response) => response.end(JSON.stringify([{ webSocketDebuggerUrl: `ws://${inspector}/socket/1/1/WebPage` }])));
    tabs.listen(0, "127.0.0.1");
    await once(tabs, "listening");
    const stop = async () => {
      tabs.closeAllConnections();
      tabs.close();
      await ended(running);
      await screen.stop();
      await remove(home);
    };
    await hasPage(inspector);
    const { width, height } = viewport;
    execFileSync("xdotool", ["search", "--sync", "--onlyvisible", "--class", "MiniBrowser", "windowsize", width, height], { env, timeout: LOOKS * LOOK_AGAIN });
    return { url: `http://127.0.0.1:${tabs.address().port}`, stop };
  }
}

/** Removes a folder into which processes that are ending still write. */
async function remove(folder) {
  for (let look = 1; ; look++) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (look === LOOKS) throw error;
      await pause(LOOK_AGAIN);
    }
  }
}

/** Waits until the inspector lists the page. */
async function hasPage(inspector) {
  for (let look = 0; look < LOOKS; look++) {
    const list = await fetch(`http://${inspector}/`).then((response) => response.text(), () => "");
    if (list.includes("/socket/1/1/WebPage")) return;
    await pause(LOOK_AGAIN);
  }
  throw new Error(`MiniBrowser shows no page at http://${inspector}/`);
}

/** Starts Xvfb on a display that it chooses. The pointer is in its middle, and the window below the pointer has the focus. */
async function startScreen({ width, height }) {
  const screen = `${width}x${height}x${DEPTH}`;
  const running = start("Xvfb", ["-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const [number] = await Promise.race([once(running.stdio[3], "data"), once(running, "exit").then(() => [])]);
  if (!number) throw new Error("Xvfb does not start");
  return { display: `:${String(number).trim()}`, stop: () => ended(running) };
}

const processes = new Set();
process.once("exit", () => processes.forEach((each) => each.kill()));

/** Starts a program that ends with this one at the latest. */
function start(...how) {
  const running = spawn(...how);
  processes.add(running);
  return running;
}

async function ended(running) {
  processes.delete(running);
  if (running.exitCode !== null || running.signalCode !== null) return;
  const exit = once(running, "exit");
  running.kill();
  await exit;
}
