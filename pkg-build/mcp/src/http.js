// One HTTP request with a deadline, and messages for a model where it fails. No message holds what was sent.

import { setTimeout as after } from "node:timers/promises";
import { Fault } from "./fault.js";

/** Milliseconds until a service that does not answer is given up. */
const DEADLINE_MS = 15_000;

/** Sends a request; an error where no answer comes. `signal` is the caller's. */
export async function send(url, { signal, ...init } = {}) {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    // A redirect would take the secret to another host.
    return await fetch(url, { ...init, redirect: "error", signal: signal ? AbortSignal.any([signal, deadline]) : deadline });
  } catch (error) {
    signal?.throwIfAborted();
    const why = deadline.aborted ? `does not answer within ${DEADLINE_MS / 1000} s` : `cannot be reached (${error.cause?.code ?? error.cause?.message ?? error.message})`;
    throw new Fault(`The service ${url.origin} ${why}. Ask again in a minute; if it stays so, the user has to check the option --url of this server.`);
  }
}

/** Waits so many seconds, or until the caller gives up. */
export async function pause(seconds, signal) {
  await after(seconds * 1000, undefined, { signal });
}
