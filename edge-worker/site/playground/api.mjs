// The service, as the playground asks it: over HTTP, with a token that is kept only in memory.

import { HttpGeocoder } from "../../../build/npm/http.js";

/** The service at `base`. */
export function api(base) {
  let geocoder;

  return {
    get ready() {
      return geocoder !== undefined;
    },
    async exchange(apiKey, apiSecret) {
      const response = await fetch(new URL("/api-clients/token", base), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ apiKey, apiSecret }),
      });
      const granted = await response.json();
      if (!response.ok) throw new Error(`${response.status} ${granted.error}: ${granted.message}`);
      geocoder = new HttpGeocoder(base, { token: granted.token });
      return granted;
    },
    /** Calls a method of the package's `HttpGeocoder`. */
    async call(method, ...given) {
      return geocoder[method](...given);
    },
  };
}
