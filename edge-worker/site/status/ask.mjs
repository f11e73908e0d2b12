// Requests the endpoints of the status page with a time limit, and turns every failure into a sentence for users.

const LONGEST_MS = 10_000;

/** The JSON of an endpoint, whatever its status. Throws if there is none. */
async function asked(path) {
  let response;
  try {
    response = await fetch(path, { signal: AbortSignal.timeout(LONGEST_MS), headers: { accept: "application/json" } });
  } catch (error) {
    throw new Error(error.name === "TimeoutError" ? "no answer within 10 seconds" : "no connection to the service");
  }
  try {
    return { response, body: await response.json() };
  } catch {
    throw new Error(`the answer of ${path} is not JSON (status ${response.status})`);
  }
}

/** The body of an endpoint. Throws its message if it is an error. */
export async function ask(path) {
  const { response, body } = await asked(path);
  if (!response.ok) throw new Error(body.message ?? `status ${response.status}`);
  return body;
}

/** The body of /health, which is also valid with status 503. */
export async function askHealth() {
  return (await asked("/health")).body;
}
