// The two charts of the history: latency and success rate over one time axis.

import uPlot from "uplot";
import { asInstant, asMilliseconds, asPercent, byId, element } from "./dom.mjs";

const HEIGHT = { p95: 200, successRate: 140 };

/** Functions that draw a chart each, of columns of times, latencies and success rates for the last `hours`, `step` seconds apart. */
export function charts([times, p95, successRate], hours, step) {
  const end = Math.ceil(Date.now() / 1000 / step) * step;
  const range = [end - hours * 3600, end];
  const low = Math.min(99, Math.floor(Math.min(...successRate.filter((value) => value !== null))));
  return [
    () => chart("Latency, 95th percentile", "p95", "--accent", [times, p95], range, asMilliseconds, (_, __, max) => [0, Math.max(10, max * 1.1)]),
    () => chart("Success rate", "successRate", "--second", [times, successRate], range, asPercent, () => [low, 100 + (100 - low) / 20]),
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
