// The addresses of all pages of the console, over one full store. Tests of what holds for every page use this list.
import { type ConsoleServer, startConsole } from '../console-server.js';
import { createFakeStore } from '../fake-store.js';
import { addSample, sampleId } from '../sample-runs.js';
import { addTasks, fullStore, servedSample } from '../sample-store.js';

export interface EveryPage {
  readonly servers: readonly ConsoleServer[];
  /** Name, then address. */
  readonly pages: readonly (readonly [name: string, address: string])[];
}

export async function everyPage(): Promise<EveryPage> {
  const store = fullStore(60);
  addTasks(store);
  const changed = servedSample((store.texts.values().next().value?.text ?? '').replace('"medium"', '"middle"'));
  const workflows = [changed];
  const full = await startConsole({ store, workflows });
  const empty = await startConsole({ store: createFakeStore(), workflows });
  const bare = await startConsole();
  const locked = await startConsole({ store, access: { token: 'secret-token' } });
  addSample(store, { status: 'completed', number: 500, items: 30 });
  return {
    servers: [full, empty, bare, locked],
    pages: [
      ['runs', `${full.url}/console`],
      ['runs, filtered', `${full.url}/console?status=error&q=Ada&since=24h`],
      ['runs, none that match', `${full.url}/console?q=nothing-at-all`],
      ['runs, none at all', `${empty.url}/console`],
      ['runs, nothing served', `${bare.url}/console`],
      ...(['running', 'completed', 'waiting', 'rejected', 'error', 'stuck', 'cancelled'] as const).map(
        (state): [string, string] => [
          `a run: ${state}`,
          `${full.url}/console/runs/${[...store.runs.values()].find(({ detail }) => detail.status === state)?.detail.run}`,
        ],
      ),
      ['a run of 10,000 effects', `${full.url}/console/runs/${sampleId(9_000)}`],
      ['one round', `${full.url}/console/runs/${sampleId(9_000)}?r39=10`],
      ['the drawing of a run', `${full.url}/console/runs/${sampleId(9_000)}/drawing`],
      ['an effect', `${full.url}/console/runs/${sampleId(7)}/effects/0`],
      ['the effects of a line', `${full.url}/console/runs/${sampleId(9_000)}/lines/42`],
      ['a value', `${full.url}/console/runs/${sampleId(9_000)}/values/request?at=/items`],
      ['cancel', `${full.url}/console/runs/${sampleId(2)}/cancel`],
      ['rerun', `${full.url}/console/runs/${sampleId(7)}/rerun?from=failure`],
      ['two runs', `${full.url}/console/compare?run=${sampleId(3)}&run=${sampleId(7)}`],
      ['tasks', `${full.url}/console/tasks`],
      ['tasks, none', `${empty.url}/console/tasks`],
      ['a task by link', `${full.url}/tasks/t-3?key=key-of-t-3`],
      ['an answered task by link', `${full.url}/tasks/t-4?key=key-of-t-4`],
      ['an unknown task', `${full.url}/tasks/t-4?key=wrong`],
      ['workflows', `${full.url}/console/workflows`],
      ['the calls of a workflow', `${full.url}/console/workflows/refund/calls`],
      ['the versions of a workflow', `${full.url}/console/workflows/refund/versions`],
      ['workflows, none', `${bare.url}/console/workflows`],
      ['a workflow', `${full.url}/console/workflows/refund`],
      ['the drawing of a workflow', `${full.url}/console/workflows/refund/drawing`],
      ['the start of a run', `${full.url}/console/workflows/refund/start`],
      ['runs by reason, sorted', `${full.url}/console?by=reason&sort=longest&waiting=1h`],
      ['a version', `${full.url}/console/workflows/refund/versions/${[...store.texts.keys()][0]}`],
      ['nothing here', `${full.url}/console/none`],
      ['sign in', `${locked.url}/console`],
    ],
  };
}
