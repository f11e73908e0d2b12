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
      if (!isAnswered) say("ready", `Ready after ${milliseconds(took)}. What you type stays here.`);
    },
    failed(error) {
      say("bad", `The places cannot be loaded: ${error.message}`);
    },
    /** Times in milliseconds; `service` is undefined if it was not asked. */
    answered({ page, service }) {
      isAnswered = true;
      line.dataset.ms = String(page);
      say("ready", service === undefined
        ? `Answered in your browser in ${milliseconds(page)}, no request`
        : `In your browser ${milliseconds(page)}, by the service ${milliseconds(service)}`);
    },
    refused(message) {
      isAnswered = true;
      say("bad", message);
    },
  };
}

const milliseconds = (took) => `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`;
