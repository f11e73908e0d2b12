// The Worker for a machine of your own: the same one that is deployed, with what the platform would add to it. Those are
// the pages, the caller's address, the limit for unknown keys, and the cron triggers. ../SELFHOST.md has the whole picture.

import * as toponym from "../entry.mjs";
import { arrived, proxies } from "./arrival.mjs";
import { clockOf } from "./clock.mjs";
import { Limit } from "./limit.mjs";
import { Pages } from "./pages.mjs";
// make.mjs writes it, from wrangler.toml and build/site.
import { crons, pages, strangers } from "../build/selfhost.mjs";

/** The bindings without variables that are not set, which workerd gives as null. */
const isSet = (env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== null));

const hosted = (Class) =>
  class extends Class {
    constructor(context, env) {
      super(context, isSet(env));
    }
  };

export const ApiKey = hosted(toponym.ApiKey);
export const Directory = hosted(toponym.Directory);
export const MetricsBoard = hosted(toponym.MetricsBoard);
export const Clock = clockOf(crons, (event, env, context) => toponym.default.scheduled(event, isSet(env), context));

// What the platform adds, made by the first request.
let around;

function prepare(env, context) {
  around = {
    env: { ...isSet(env), PAGES: new Pages(env.SITE, pages), STRANGERS: new Limit(strangers) },
    proxies: proxies(env.TRUSTED_PROXIES),
  };
  // An alarm that is set survives a restart; this sets the very first one.
  context.waitUntil(env.CLOCK.getByName("clock").fetch("https://clock.invalid/"));
}

export default {
  fetch(request, env, context) {
    if (!around) prepare(env, context);
    return toponym.default.fetch(arrived(request, around.proxies), around.env, context);
  },
};
