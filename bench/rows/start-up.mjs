// Whole processes of `wf` that do next to nothing, compared with `node -e 0`: the delay that people notice at a terminal.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { timeProcess } from '../node-process.mjs';
import { against } from '../result.mjs';
import { interleave } from '../statistics.mjs';
import { program, wf } from '../workspace.mjs';

const limits = {
  'wf --version': 1.15,
  'wf check of 20 lines': 2,
  'wf run, the first time': 2.6,
  'wf run of a new file': 2.6,
  'wf run again, from the cache': 1.5,
  'wf run built.mjs': 1.5,
};

export const names = Object.keys(limits);

export async function measure({ place, rounds, wanted }) {
  const source = program('twenty-lines.wf');
  const out = place.fresh();
  timeProcess([wf, 'build', source, '--out', out], place.env);
  const built = path.join(out, 'twenty-lines.mjs');
  const run = (file, env = place.env) => timeProcess([wf, 'run', file, '--json'], env);
  assertSameAnswers([source, built], place.env);
  const all = {
    'wf --version': () => timeProcess([wf, '--version'], place.env),
    'wf check of 20 lines': () => timeProcess([wf, 'check', source], place.env),
    // The cache folder is also new, so wf has to create its own cached files again.
    'wf run, the first time': () => run(source, { ...place.env, XDG_CACHE_HOME: place.fresh() }),
    'wf run of a new file': () => run(newFile(place, source)),
    'wf run again, from the cache': () => run(source),
    'wf run built.mjs': () => run(built),
  };
  const asked = names.filter(wanted);
  const subjects = Object.fromEntries([
    ['node', () => timeProcess(['-e', '0'], place.env)],
    ...asked.map((name) => [name, all[name]]),
  ]);
  // These rounds are short, so more of them cost little and improve the result.
  const { node, ...figures } = await interleave(subjects, rounds * 3);
  return asked.map((name) =>
    against({ name, unit: 'ms', figures: figures[name], yardstick: 'node -e 0', of: node, atMost: limits[name] }),
  );
}

/** The same workflow with a text that was never run. */
function newFile(place, source) {
  const file = path.join(place.fresh(), 'twenty-lines.wf');
  writeFileSync(file, `${readFileSync(source, 'utf8')}# ${file}\n`);
  return file;
}

/** A run that fails quickly must not count as a fast one. Also fills the cache. */
function assertSameAnswers(files, env) {
  const answers = files.map((file) =>
    spawnSync(process.execPath, [wf, 'run', file, '--json'], { env, encoding: 'utf8' }).stdout.trim(),
  );
  const expected = '{"status":"completed","outputs":{"total":50,"due":45,"lines":3}}';
  const wrong = answers.find((answer) => answer !== expected);
  if (wrong !== undefined) throw new Error(`The 20 lines answered ${wrong}`);
}
