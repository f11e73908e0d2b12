// The line below the field: which way the last question took, and how long. It changes with every letter, so it is not a live
// region: screen readers hear the field's own status.

/** `line` has `data-state`; `text` is its text, and `again` the button that is there after a failure. */
export function wayOf(line, text, again) {
  let isAnswered = false;
  const say = (state, words) => {
    line.dataset.state = state;
    text.textContent = words;
    again.hidden = true;
  };
  return {
    /** Nothing is known yet of the places, or how many of their bytes are there. */
    loading({ loaded, total, cached } = {}) {
      if (isAnswered) return;
      const part = total ? `${Math.round((100 * loaded) / total)} %` : `${loaded} bytes`;
      say("busy", cached ? "Places kept from an earlier visit." : `Loading places${loaded === undefined ? " …" : `: ${part}`}`);
    },
    ready(took) {
      if (!isAnswered) say("ready", `Ready in ${duration(took)}. What you type stays here.`);
    },
    /** There is no engine. */
    failed(message) {
      isAnswered = false;
      say("bad", message);
      again.hidden = false;
    },
    /** Times in milliseconds, of the engine alone and of the whole request; undefined of the one that was not asked, or has not answered yet. */
    answered({ page, service }) {
      isAnswered = true;
      if (page !== undefined) line.dataset.ms = String(page);
      say("ready", wayOfBoth(page, service));
    },
    /** The engine did not take the question. */
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
