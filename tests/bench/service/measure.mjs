// Shared by the load tests: open connections, one or many, and quantiles.

import { Agent, get, request as ask } from "node:http";

/** An open connection, for one request at a time. */
export class Connection {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** Milliseconds from the request to the end of the answer, which must have `status`. */
  ask(url, headers = {}, status = 200) {
    return new Promise((resolve, reject) => {
      const begin = performance.now();
      const request = get(url, { agent: this.#agent, headers }, (response) => {
        if (response.statusCode !== status) reject(new Error(`${url} answers ${response.statusCode}`));
        response.resume().on("end", () => resolve(performance.now() - begin));
      });
      request.on("error", reject);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** Sends a request so often over connections that stay open: how many it were per second. With a `body` it is a POST. */
export async function load({ url, headers, body }, requests, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const one = () =>
    new Promise((resolve, reject) => {
      const request = ask(url, { agent, headers, method: body ? "POST" : "GET" }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}`));
        response.resume().on("end", resolve);
      });
      request.on("error", reject).end(body);
    });
  let left = requests;
  const started = performance.now();
  const connection = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  return (requests * 1000) / (performance.now() - started);
}

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);

/** The quantile `share` (0 to 1) of the numbers. */
export const quantile = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

export const median = (numbers) => quantile(numbers, 0.5);
