// Compares the npm package with alternatives on the places of its core pack, and prints a table. Each engine runs in a
// separate process. src/judge.rs defines which results are correct.
//
//     cargo xtask build npm
//     (cd tests/bench && cargo run --release -- --work ../../build/bench-core prepare --index ../../build/core.toponym)
//     (cd tests/bench/node && npm ci && node core.mjs ../../../build/bench-core)

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PEERS = ['toponym', 'sortedScan', 'minisearch', 'flexsearch', 'fuse'];

const HERE = import.meta.dirname;

/** Some engines keep coordinates in single precision: 1e-5 degrees are then the last digit. */
const SLACK = 2;

const folder = resolve(process.argv[2]);
const results = () => readdirSync(folder).filter((name) => /^measured-.*\.json$/.test(name));
for (const name of results()) rmSync(join(folder, name));
const env = { ...process.env, TOPONYM_PACKAGE: join(HERE, '../../../build/npm') };
for (const peer of PEERS) {
  const args = ['--expose-gc', '--max-old-space-size=8000', join(HERE, 'run.mjs'), peer, folder];
  execFileSync(process.execPath, args, { cwd: HERE, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

const cases = new Map(read('workload.json').map((operation) => [operation.name, operation.cases]));
console.log('| | load ms | memory MB | prefix hit@1 | p50 µs | p99 µs | typo hit@1 | p50 µs | p99 µs |');
console.log(`|---|${'---:|'.repeat(8)}`);
const measured = results().map(read).sort((a, b) => b.engine.startsWith('Toponym') - a.engine.startsWith('Toponym'));
for (const { engine, load_ms, memory_mb, operations } of measured) {
  const parts = ['prefix', 'typo'].flatMap((kind) => judged(operations.filter(({ name }) => name.startsWith(`${kind} `))));
  console.log(`| ${[engine, load_ms.toFixed(0), memory_mb.toFixed(1), ...parts].join(' | ')} |`);
}

function read(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Share of right first answers among the questions that were asked, and the times of these. */
function judged(operations) {
  const micros = operations.flatMap((operation) => operation.micros).sort((a, b) => a - b);
  const hits = operations.flatMap(({ name, answers }) => answers.map(([first], at) => isRight(first, cases.get(name)[at].right)));
  const quantile = (share) => micros[Math.ceil(share * micros.length) - 1];
  const shown = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  return [(hits.filter(Boolean).length / hits.length).toFixed(3), shown(quantile(0.5)), shown(quantile(0.99))];
}

function isRight(answer, right) {
  return answer !== undefined && right.some(([lat, lon]) => Math.abs(lat - answer[0]) <= SLACK && Math.abs(lon - answer[1]) <= SLACK);
}
