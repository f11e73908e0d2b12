// Measures one peer: `node --expose-gc run.mjs PEER FOLDER`, where FOLDER holds the output of `toponym-bench prepare`.
// It writes times and results to a file there; `toponym-bench report` evaluates them together with those of the native
// engines.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as peers from './peers.mjs';

// As in src/measure.rs: time of one operation in ms, rounds over its questions.
const BUDGET = 8_000;
const ROUNDS = 5;
// An operation with few questions is asked them so often: V8 compiles what it has run some hundred times.
const CALLS = 2_500;

const [peerName, folder] = process.argv.slice(2);
const { title, load } = await peers[peerName]();
const operations = JSON.parse(readFileSync(join(folder, 'workload.json'), 'utf8'));

const before = held();
const started = performance.now();
const peer = await load(folder);
const load_ms = performance.now() - started;
const memory_mb = (held() - before) / 1e6;

const measured = operations.map(ask).filter((asked) => asked !== undefined);
const result = {
  engine: title,
  load_ms,
  // Of wasm the linear memory, which never shrinks: after the last question its size is its peak.
  memory_mb: peer.memoryBytes ? peer.memoryBytes() / 1e6 : memory_mb,
  file_mb: peer.fileBytes / 1e6,
  open_ms: peer.openMs,
  first_answer_ms: peer.firstAnswerMs,
  operations: measured,
};
writeFileSync(join(folder, `measured-${title}.json`), JSON.stringify(result));
process.exit(0);

/** Bytes that are in use once all garbage is gone. */
function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The questions of one operation, as far as the time reaches; `undefined` when the peer has no such operation. */
function ask({ name, cases }) {
  const [kind] = Object.keys(cases[0].question);
  const method = peer[kind];
  if (!method) return undefined;
  const micros = [];
  const answers = [];
  const begin = performance.now();
  for (const { question } of cases) {
    const start = performance.now();
    const answer = method(question[kind]);
    micros.push((performance.now() - start) * 1e3);
    answers.push(answer);
    if (performance.now() - begin > BUDGET) break;
  }
  const round = performance.now() - begin;
  const rounds = Math.max(ROUNDS, CALLS / cases.length);
  for (let done = 1; done < rounds && round * (done + 1) <= BUDGET; done++) {
    micros.forEach((best, i) => {
      const question = cases[i].question[kind];
      const start = performance.now();
      method(question);
      micros[i] = Math.min(best, (performance.now() - start) * 1e3);
    });
  }
  return { name, micros, answers };
}
