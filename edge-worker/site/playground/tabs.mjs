// Tabs with texts to copy, by the pattern of the ARIA Authoring Practices: the arrows, Home and End choose a tab.

import { copyButton, element } from "./dom.mjs";

/** The tab for a key, of `count` tabs. */
const KEYS = {
  ArrowRight: (chosen, count) => (chosen + 1) % count,
  ArrowLeft: (chosen, count) => (chosen - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The tab that was chosen last: it stays when the answer changes. */
let last;

/** `texts` by the names of their tabs. `label` names all of them. */
export function tabs(label, texts) {
  const names = Object.keys(texts);
  let chosen = Math.max(0, names.indexOf(last));
  const shown = element("pre", { id: "code", tabindex: "0", role: "tabpanel", dir: "ltr" });
  const list = element("div", { role: "tablist", "aria-label": label });
  const buttons = names.map((name, at) => {
    const tab = element("button", { type: "button", role: "tab", id: `tab-${at}`, "aria-controls": "code" }, name);
    tab.addEventListener("click", () => picked(at));
    return tab;
  });
  list.append(...buttons);
  list.addEventListener("keydown", (event) => {
    const at = KEYS[event.key]?.(chosen, names.length);
    if (at === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    picked(at);
    buttons[at].focus();
  });
  function picked(at) {
    last = names[at];
    choose(at);
  }
  function choose(at) {
    chosen = at;
    buttons.forEach((tab, number) => {
      tab.setAttribute("aria-selected", String(number === at));
      tab.tabIndex = number === at ? 0 : -1;
    });
    shown.textContent = texts[names[at]];
    shown.setAttribute("aria-labelledby", `tab-${at}`);
  }
  choose(chosen);
  return element("div", { class: "code" }, list, shown, copyButton("Copy this", () => shown.textContent));
}
