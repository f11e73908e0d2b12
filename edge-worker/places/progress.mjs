// How far an upload is, in words.

const number = (value) => Math.round(value).toLocaleString("en-US");

function duration(seconds) {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `1,200 of 4,695 pages, 85 a second, 42 s left`; without a rate as long as there is none. */
export function progress(done, of, elapsedMs) {
  const begun = `${number(done)} of ${number(of)} pages`;
  if (!done || !elapsedMs) return begun;
  const rate = (done * 1_000) / elapsedMs;
  return `${begun}, ${number(rate)} a second, ${duration((of - done) / rate)} left`;
}
