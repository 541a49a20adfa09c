// Runs a fixture that compiles. Next to its input there may be `request.json`, `mocks.json` (answers as for `--mocks`), and `run.mjs`,
// which exports a `request` or the `options` of the run.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { Outcome, RunOptions, Value, WfRecord } from '../../runtime/types.js';
import { type Case, readJsonPart } from './fixtures.js';
import { loadEmitted } from './load-emitted.js';

interface Play {
  readonly request?: unknown;
  readonly options?: RunOptions;
}

/** Runs with the default mock answers unless the fixture has its own. The clock stands at 2026-01-31. */
export async function runFixture(one: Case, code: string, onEnd?: RunOptions['onEnd']): Promise<Outcome> {
  const { run } = await loadEmitted(code);
  const file = path.join(one.folder, 'run.mjs');
  const play: Play = existsSync(file) ? await import(pathToFileURL(file).href) : {};
  const request = play.request ?? readJsonPart(one, 'request.json', {});
  return run(request as WfRecord, {
    env: {},
    mock: mocksOf(one),
    startedAt: new Date('2026-01-31T12:34:56.789Z'),
    onEnd,
    ...play.options,
  }); // `run` checks the request itself: in some fixtures it is not a record
}

function mocksOf(one: Case): Exclude<RunOptions['mock'], undefined> {
  const answers = readJsonPart(one, 'mocks.json', undefined);
  if (answers === undefined) return true;
  const parsed = mocksFromJson(answers as Value); // parsed from JSON
  if (!parsed.ok) throw new Error(`${one.name}/mocks.json: ${parsed.message}`);
  return parsed.mocks;
}
