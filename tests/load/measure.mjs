// Shared by the load tests: an open connection, and quantiles.

import { Agent, get } from "node:http";

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

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);

/** The quantile `share` (0 to 1) of the numbers. */
export const quantile = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

export const median = (numbers) => quantile(numbers, 0.5);
