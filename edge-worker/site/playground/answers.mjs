// The answers to a question: a card for the chosen one, the others as a list, and tabs with JSON and code.

import { card, kindName } from "./card.mjs";
import { codeOf } from "./code/platforms.mjs";
import { element } from "./dom.mjs";
import { tabs } from "./tabs.mjs";

/** Shows answers in `container`. `chosen(places, place)` is called when the user picks one of several. */
export function answers(container, { address, within, chosen }) {
  function show({ sent, places, refusals, texts }, at = 0) {
    const given = { sent, places, refusals, texts };
    const place = places[at];
    const others = places.length > 1 && element("ol", { class: "others", "aria-label": "All answers" }, ...places.map((one, number) => choice(one, number === at, () => {
      show(given, number);
      chosen(places, one);
      container.querySelector("[aria-current] button")?.focus();
    })));
    container.replaceChildren(...[
      ...refusals.map((message) => element("p", { class: "note bad" }, message)),
      place ? card(place, { address, within, show: () => chosen(places, place) }) : !refusals.length && nothing(sent),
      others,
      Object.keys(texts).length > 0 && tabs("Answer and code", { ...texts, ...codeOf(sent, { origin: location.origin, language: navigator.language }) }),
    ].filter(Boolean));
  }
  return { show };
}

function choice({ display_name, type, confidence }, isChosen, pressed) {
  const pick = element("button", { type: "button" }, element("span", { class: "name", dir: "auto" }, display_name), element("span", { class: "kind" }, kindName(type)));
  pick.addEventListener("click", pressed);
  return element("li", isChosen ? { "aria-current": "true" } : {}, pick);
}

function nothing({ route }) {
  const advice = route === "reverse" ? "No place is known near this point." : "Nothing found. Fewer filters or another spelling may help.";
  return element("p", { class: "note" }, advice);
}
