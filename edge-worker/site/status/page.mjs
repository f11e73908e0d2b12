// The status page at `/status`. It requests each endpoint separately, so that a failing one does not hide the others.

import { ask, askHealth } from "./ask.mjs";
import { showCoverage } from "./coverage.mjs";
import { asCount, asMilliseconds, asPercent, byId, clearFailure, element, fillFigures, showFailure } from "./dom.mjs";
import { followThePage, showHistory } from "./history.mjs";
import { showMetering } from "./metering.mjs";

// A minute adds one probe. Each refresh has the board read the rows of a day, which an account may not read too often:
// tests/bench/service/board.mjs.
const REFRESH_MS = 60_000;

async function showState() {
  const show = (state, text) => {
    byId("state").dataset.state = state;
    // So that screen readers announce only changes, not every refresh.
    if (byId("state-text").textContent !== text) byId("state-text").textContent = text;
  };
  try {
    const { ok, message } = await askHealth();
    show(ok ? "good" : "bad", ok ? "The service works" : `The service does not work: ${message}`);
  } catch (failure) {
    show("bad", `The service does not answer: ${failure.message}`);
  }
}

async function showDay() {
  const section = byId("day");
  try {
    const { latency, requests, availability } = await ask("/sla-metrics");
    fillFigures(byId("figures"), [
      ["Uptime", asPercent(availability.uptime)],
      ["Requests", asCount(requests.total)],
      ["Success rate", asPercent(requests.successRate)],
      ["Error rate", asPercent(requests.errorRate)],
      ["Latency p50", asMilliseconds(latency.p50)],
      ["Latency p95", asMilliseconds(latency.p95)],
      ["Latency p99", asMilliseconds(latency.p99)],
    ]);
    clearFailure(section);
  } catch (failure) {
    byId("figures").replaceChildren();
    showFailure(section, "The figures", failure);
  } finally {
    section.setAttribute("aria-busy", "false");
  }
}

async function showSources() {
  const section = byId("attribution");
  try {
    const { sources } = await ask("/attribution");
    byId("sources").replaceChildren(...sources.map((source) => element("li", {}, source)));
  } catch (failure) {
    showFailure(section, "The sources", failure);
  } finally {
    section.setAttribute("aria-busy", "false");
  }
}

function refresh() {
  if (document.visibilityState === "visible") void Promise.all([showState(), showDay(), showHistory(), showMetering()]);
}

/** Shows a section that is below what fits a screen when its reader is a screen away from it, or prints the page. */
function whenNear(section, show) {
  const near = new AbortController();
  const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && found(), { rootMargin: "100% 0px" });
  const found = () => {
    near.abort();
    observer.disconnect();
    void show();
  };
  observer.observe(section);
  addEventListener("beforeprint", found, { signal: near.signal });
}

byId("hours").addEventListener("change", showHistory);
document.addEventListener("visibilitychange", refresh);
followThePage();
refresh();
whenNear(byId("coverage"), showCoverage);
whenNear(byId("attribution"), showSources);
setInterval(refresh, REFRESH_MS);
