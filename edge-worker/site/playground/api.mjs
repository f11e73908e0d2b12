// A client of the HTTP API for the playground. It keeps the token only in memory.

/** The API at `base`. */
export function api(base) {
  let token;

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
    /** Sends `GET` with the token. */
    async get(address) {
      return body(await fetch(new URL(address, base), { headers: { authorization: `Bearer ${token}` } }));
    },
  };
}

async function body(response) {
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(`${response.status} ${answer.error}: ${answer.message}`);
}
