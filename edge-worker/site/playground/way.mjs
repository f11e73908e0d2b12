// The line below the field: which way the last question took, and how long.

/** `line` has `data-state`; `text` is its text. */
export function wayOf(line, text) {
  let isAnswered = false;
  const say = (state, words) => {
    line.dataset.state = state;
    if (text.textContent !== words) text.textContent = words;
  };
  return {
    loading({ loaded, total, cached }) {
      if (!isAnswered) say("busy", cached ? "Places kept from an earlier visit." : `Loading places: ${total ? `${Math.round((100 * loaded) / total)} %` : `${loaded} bytes`}`);
    },
    ready(took) {
      if (!isAnswered) say("ready", `Ready in ${duration(took)}. What you type stays here.`);
    },
    failed(error) {
      say("bad", `The places cannot be loaded: ${error.message}`);
    },
    /** Times in milliseconds, of the engine alone and of the whole request; undefined of the one that was not asked, or has not answered yet. */
    answered({ page, service }) {
      isAnswered = true;
      if (page !== undefined) line.dataset.ms = String(page);
      say("ready", wayOfBoth(page, service));
    },
    refused(message) {
      isAnswered = true;
      say("bad", message);
    },
  };
}

function wayOfBoth(page, service) {
  if (service === undefined) return page === undefined ? "Asking …" : `Answered in your browser in ${duration(page)}, no request`;
  return page === undefined ? `Answered by the service in ${duration(service)}` : `In your browser ${duration(page)}, by the service ${duration(service)}`;
}

function duration(took) {
  if (took >= 1000) return `${(took / 1000).toFixed(1)} s`;
  return `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`;
}
