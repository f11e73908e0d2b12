// Reads the cron triggers of wrangler.toml, as far as they are used: numbers and `*`, in UTC.

/** Minute, hour, day of the month, month, day of the week, from a date. */
const PARTS = [
  (date) => date.getUTCMinutes(),
  (date) => date.getUTCHours(),
  (date) => date.getUTCDate(),
  (date) => date.getUTCMonth() + 1,
  // Cron triggers of the platform count from 1, Sunday.
  (date) => date.getUTCDay() + 1,
];

/** An error if `cron` is more than numbers and `*`. */
export function check(cron) {
  if (cron.split(" ").length !== PARTS.length || !/^[\d* ]+$/.test(cron)) {
    throw new Error(`the cron trigger "${cron}" has more than numbers and *: teach edge-worker/selfhost/crons.mjs to read it`);
  }
  return cron;
}

/** Whether `cron` is due in the minute of `date`. */
export function isDue(cron, date) {
  return cron.split(" ").every((field, at) => field === "*" || Number(field) === PARTS[at](date));
}
