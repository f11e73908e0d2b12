// The metering section of the status page: how long answers waited for the objects of their keys, beside the rest of their
// time, and the units that were lost with leases.

import { ask } from "./ask.mjs";
import { asCount, asMilliseconds, asPercent, byId, clearFailure, element, fillFigures, fillTable, showFailure } from "./dom.mjs";

/** Loads and shows the figures and the histogram of the last day. */
export async function showMetering() {
  const section = byId("metering");
  try {
    show(await ask("/sla-metrics/metering"));
    clearFailure(section);
  } catch (failure) {
    for (const id of ["metering-figures", "histogram"]) byId(id).replaceChildren();
    showFailure(section, "The figures of metering", failure);
  } finally {
    section.setAttribute("aria-busy", "false");
  }
}

function show({ object, rest, histogram, lostUnits }) {
  const share = (part, whole) => (whole === 0 ? 0 : (part / whole) * 100);
  fillFigures(byId("metering-figures"), [
    ["Requests that waited", asPercent(share(object.requests, rest.requests))],
    ["Waiting p50", asMilliseconds(object.latency.p50)],
    ["Waiting p99", asMilliseconds(object.latency.p99)],
    ["Rest p50", asMilliseconds(rest.latency.p50)],
    ["Rest p99", asMilliseconds(rest.latency.p99)],
    ["Lost units", asCount(lostUnits)],
  ]);
  const column = (heading, part, whole) => ({ heading, of: (step) => bar(step[part], share(step[part], whole)), number: true });
  const columns = [
    { heading: "Time", of: ({ upToMs }) => `up to ${asMilliseconds(upToMs)}` },
    column("Waiting for the object", "object", object.requests),
    column("The rest", "rest", rest.requests),
  ];
  fillTable(byId("histogram"), "Requests of the last 24 hours by their time", columns, histogram);
}

/** A count with a bar of `percent` of the cell's width behind it. */
function bar(count, percent) {
  const made = element("span", { class: "bar" }, asCount(count));
  // By script, because the page allows no styles in its markup.
  made.style.setProperty("--part", `${percent}%`);
  return made;
}
