// A client of the HTTP API for the playground. It keeps the token only in memory.

/** The API at `base`. */
export function api(base) {
  let token;

  async function ask(path, query) {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    // "No place at this point" is an answer too.
    if (response.status === 404) return null;
    return body(response);
  }

  return {
    get ready() {
      return token !== undefined;
    },
    async exchange(apiKey, apiSecret) {
      const response = await fetch(new URL("/api-clients/token", base), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ apiKey, apiSecret }),
      });
      const granted = await body(response);
      token = granted.token;
      return granted;
    },
    forward: (query, limit) => ask("/v1/geocoding/forward", { query, limit }),
    autocomplete: (q, limit) => ask("/v1/geocoding/autocomplete", { q, limit }),
    reverse: (lat, lon) => ask("/v1/geocoding/reverse", { lat: lat.toFixed(7), lon: lon.toFixed(7) }),
  };
}

async function body(response) {
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(`${response.status} ${answer.error}: ${answer.message}`);
}
