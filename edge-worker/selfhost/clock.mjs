// The cron triggers: workerd has none, so an object wakes itself at every minute and calls what is due.

import { DurableObject } from "cloudflare:workers";
import { isDue } from "./crons.mjs";

const MINUTE_MS = 60_000;

const nextMinute = () => (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;

/** The class of the object, which calls `scheduled({ cron, scheduledTime }, env, context)` for each of `crons` when it is due. */
export const clockOf = (crons, scheduled) =>
  class Clock extends DurableObject {
    /** Starts the clock, unless it runs. */
    async fetch() {
      const set = await this.ctx.storage.getAlarm();
      // One that is long past was lost, and nobody else would set it again.
      if (set === null || set < Date.now() - MINUTE_MS) await this.ctx.storage.setAlarm(nextMinute());
      return new Response(null, { status: 204 });
    }

    async alarm() {
      // Before anything can fail: a clock that stopped would not start again.
      await this.ctx.storage.setAlarm(nextMinute());
      const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
      const due = crons.filter((cron) => isDue(cron, new Date(now)));
      const called = due.map(async (cron) => scheduled({ cron, scheduledTime: now }, this.env, this.ctx));
      for (const { reason } of await Promise.allSettled(called)) if (reason) console.error(`a cron trigger failed: ${reason.name}`);
    }
  };
