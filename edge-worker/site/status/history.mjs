// The history section of the status page: two charts over one time axis, and the same points as a table.

import { ask } from "./ask.mjs";
import { asInstant, asMilliseconds, asPercent, byId, clearFailure, fillTable, showFailure } from "./dom.mjs";

const STEP_S = 300;

let drawn = [];

/** Loads and shows the history of the chosen period. */
export async function showHistory() {
  const section = byId("history");
  const hours = byId("hours").value;
  try {
    const { points } = await ask(`/sla-history?hours=${hours}`);
    // The plotting library is half of the page's script, so it comes only where there is something to draw.
    const { charts } = points.length > 0 ? await import("./charts.mjs") : {};
    // The user may have chosen another period meanwhile.
    if (byId("hours").value === hours) show(points, charts?.(withGaps(points), Number(hours), STEP_S));
    clearFailure(section);
  } catch (failure) {
    clear();
    byId("history-note").hidden = true;
    showFailure(section, "The history", failure);
  } finally {
    section.setAttribute("aria-busy", "false");
  }
}

function show(points, charts) {
  clear();
  const note = byId("history-note");
  note.hidden = points.length > 0;
  note.textContent = points.length > 0 ? "" : "There was no traffic in this period, so there is nothing to draw.";
  byId("history-details").hidden = points.length === 0;
  if (points.length === 0) return;
  void draw(charts, (drawn = []));
  // Up to two thousand rows, so they are made when somebody opens the table.
  const details = byId("history-details");
  details.ontoggle = () => details.open && fill(points);
  if (details.open) fill(points);
}

/** One after the other, so that the page answers in between; given up when others take their place. */
async function draw(charts, into) {
  for (const chart of charts) {
    await new Promise((resume) => setTimeout(resume));
    if (drawn !== into) return;
    into.push(chart());
  }
}

function fill(points) {
  const columns = [
    { heading: "From", of: ({ timestamp }) => asInstant(timestamp) },
    { heading: "Latency p95", of: ({ p95 }) => asMilliseconds(p95), number: true },
    { heading: "Success rate", of: ({ successRate }) => asPercent(successRate), number: true },
  ];
  fillTable(byId("history-table"), "Points of the history, the newest first", columns, points.toReversed());
}

function clear() {
  drawn.forEach((chart) => chart.destroy());
  drawn = [];
  byId("charts").replaceChildren();
  byId("history-details").hidden = true;
}

/** Columns of seconds, latency and success rate. A period without traffic is a gap, not a line across it. */
export function withGaps(points) {
  const columns = [[], [], []];
  const add = (row) => row.forEach((value, at) => columns[at].push(value));
  for (const { timestamp, p95, successRate } of points) {
    const seconds = Date.parse(timestamp) / 1000;
    const last = columns[0].at(-1);
    if (last !== undefined && seconds - last > STEP_S) add([last + STEP_S, null, null]);
    add([seconds, p95, successRate]);
  }
  return columns;
}

/** Redraws the charts when the width or the colours of the page change. */
export function followThePage() {
  new ResizeObserver(() => drawn.forEach((chart) => chart.setSize({ width: chart.root.parentElement.clientWidth, height: chart.height })))
    .observe(byId("charts"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach((chart) => chart.redraw(false, true)));
}
