// The history section of the status page: two charts over one time axis, and the same points as a table.

import uPlot from "uplot";
import { ask } from "./ask.mjs";
import { asInstant, asMilliseconds, asPercent, byId, clearFailure, element, fillTable, showFailure } from "./dom.mjs";

const STEP_S = 300;
const HEIGHT = { p95: 200, successRate: 140 };

let charts = [];

/** Loads and shows the history of the chosen period. */
export async function showHistory() {
  const section = byId("history");
  const hours = byId("hours").value;
  try {
    const history = await ask(`/sla-history?hours=${hours}`);
    // The user may have chosen another period meanwhile.
    if (byId("hours").value === hours) show(history, Number(hours));
    clearFailure(section);
  } catch (failure) {
    clear();
    byId("history-note").hidden = true;
    showFailure(section, "The history", failure);
  } finally {
    section.setAttribute("aria-busy", "false");
  }
}

function show({ points }, hours) {
  clear();
  const note = byId("history-note");
  note.hidden = points.length > 0;
  note.textContent = points.length > 0 ? "" : "There was no traffic in this period, so there is nothing to draw.";
  byId("history-details").hidden = points.length === 0;
  if (points.length === 0) return;
  draw(withGaps(points), hours);
  const columns = [
    { heading: "From", of: ({ timestamp }) => asInstant(timestamp) },
    { heading: "Latency p95", of: ({ p95 }) => asMilliseconds(p95), number: true },
    { heading: "Success rate", of: ({ successRate }) => asPercent(successRate), number: true },
  ];
  fillTable(byId("history-table"), "Points of the history, the newest first", columns, points.toReversed());
}

function clear() {
  charts.forEach((chart) => chart.destroy());
  charts = [];
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

function draw([times, p95, successRate], hours) {
  const end = Math.ceil(Date.now() / 1000 / STEP_S) * STEP_S;
  const range = [end - hours * 3600, end];
  const low = Math.min(99, Math.floor(Math.min(...successRate.filter((value) => value !== null))));
  charts = [
    chart("Latency, 95th percentile", "p95", "--accent", [times, p95], range, asMilliseconds, (_, __, max) => [0, Math.max(10, max * 1.1)]),
    chart("Success rate", "successRate", "--second", [times, successRate], range, asPercent, () => [low, 100 + (100 - low) / 20]),
  ];
}

function chart(title, key, colour, data, range, format, scale) {
  const place = element("div", { class: "chart", role: "img", "aria-label": describe(title, data[1], format) });
  byId("charts").append(element("h3", {}, title), place);
  const ink = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
  const axis = { stroke: ink("--soft"), grid: { stroke: ink("--line"), width: 1 }, ticks: { stroke: ink("--line"), width: 1 } };
  const options = {
    width: place.clientWidth,
    height: HEIGHT[key],
    // The axis shows UTC, like the contract.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    cursor: { sync: { key: "history" }, drag: { x: false, y: false }, y: false },
    scales: { x: { range: () => range }, y: { range: scale } },
    axes: [
      { ...axis, space: 70, values: (_, ticks) => ticks.map(tick) },
      { ...axis, size: 80, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      { label: "Time", value: (_, seconds) => (seconds === null ? "–" : asInstant(seconds * 1000)) },
      {
        label: title,
        stroke: ink(colour),
        width: 2,
        points: { show: isSparse(data[1]), size: 6, fill: ink(colour) },
        value: (_, value) => (value === null ? "–" : format(value)),
      },
    ],
  };
  return new uPlot(options, data, place);
}

const hour = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A label: the hour, with the date under the first one and each midnight. */
function tick(seconds, at) {
  const instant = new Date(seconds * 1000);
  const isNewDay = at === 0 || instant.getUTCHours() + instant.getUTCMinutes() === 0;
  return isNewDay ? `${hour.format(instant)}\n${date.format(instant)}` : hour.format(instant);
}

/** Whether a line would show nothing, because there are few points or one stands alone between gaps. */
function isSparse(values) {
  return values.length < 60 || values.some((value, at) => value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null);
}

function describe(title, values, format) {
  const known = values.filter((value) => value !== null);
  return `${title}: ${known.length} points, from ${format(Math.min(...known))} to ${format(Math.max(...known))}, last ${format(known.at(-1))}`;
}

/** Redraws the charts when the width or the colours of the page change. */
export function followThePage() {
  new ResizeObserver(() => charts.forEach((chart) => chart.setSize({ width: chart.root.parentElement.clientWidth, height: chart.height })))
    .observe(byId("charts"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((chart) => chart.redraw(false, true)));
}
