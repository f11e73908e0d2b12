// Web Workers in Node, as far as `toponym/worker` uses them: a thread of Node that runs the script of the package as a browser
// does.

import { Worker as Thread } from "node:worker_threads";

/** Gives the thread what scripts of a Web Worker have and those of Node lack, and then imports its script. */
const START = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFile } = require("node:fs/promises");
const overHttp = globalThis.fetch;
const fromFile = async (url) => new Response(await readFile(url), { headers: { "content-type": "application/wasm" } });
globalThis.fetch = (address, init) => {
  const url = new URL(address);
  return url.protocol === "file:" ? fromFile(url) : overHttp(url, init);
};
globalThis.postMessage = (data) => parentPort.postMessage(data);
import(workerData).then(() => parentPort.on("message", (data) => globalThis.onmessage({ data })));
`;

const threads = new Set();

/** Ends the threads that are left, each of which would keep a file of tests from ending. */
export const endThreads = () => Promise.all([...threads].map((thread) => thread.terminate()));

export class NodeWorker {
  #thread;

  constructor(url) {
    this.#thread = new Thread(START, { eval: true, workerData: url.href });
    threads.add(this.#thread);
    this.#thread.once("exit", () => threads.delete(this.#thread));
    this.#thread.on("message", (data) => this.onmessage({ data }));
    this.#thread.on("error", ({ message }) => this.onerror({ message }));
  }

  postMessage(message, transfer) {
    this.#thread.postMessage(message, transfer);
  }

  terminate() {
    void this.#thread.terminate();
  }
}
