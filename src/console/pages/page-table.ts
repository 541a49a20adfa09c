// Routes of the console.
import type { ConsoleRequest } from '../http/console-request.js';
import type { PageHandler } from './console-page.js';
import { effectPage, linePage, valuePage } from './run/effect-page.js';
import { rerunPage, rerunRun } from './run/rerun-page.js';
import { cancelPage, changeRun, changeRuns } from './run/run-actions.js';
import { runPage } from './run/run-page.js';
import { runsPage } from './runs/runs-page.js';
import { answerTask, taskPairs } from './tasks/answer-task.js';
import { tasksPage } from './tasks/tasks-page.js';
import { tryPage } from './workflows/try-page.js';
import { versionPage } from './workflows/version-page.js';
import { workflowPage } from './workflows/workflow-page.js';
import { workflowsPage } from './workflows/workflows-page.js';

interface Address {
  readonly method: 'GET' | 'POST';
  /** Segments after `/console`; `*` matches any one. */
  readonly path: string;
  readonly handler: PageHandler;
}

const ADDRESSES: readonly Address[] = [
  { method: 'GET', path: '', handler: runsPage },
  { method: 'GET', path: 'runs', handler: runsPage },
  { method: 'POST', path: 'runs', handler: changeRuns },
  { method: 'GET', path: 'runs/*', handler: runPage },
  { method: 'GET', path: 'runs/*/cancel', handler: cancelPage },
  { method: 'POST', path: 'runs/*/cancel', handler: changeRun },
  { method: 'POST', path: 'runs/*/resume', handler: changeRun },
  { method: 'GET', path: 'runs/*/rerun', handler: rerunPage },
  { method: 'POST', path: 'runs/*/rerun', handler: rerunRun },
  { method: 'GET', path: 'runs/*/values/*', handler: valuePage },
  { method: 'GET', path: 'runs/*/lines/*', handler: linePage },
  { method: 'GET', path: 'runs/*/effects/*', handler: effectPage },
  { method: 'GET', path: 'runs/*/effects/*/*', handler: valuePage },
  { method: 'GET', path: 'tasks', handler: tasksPage },
  { method: 'POST', path: 'tasks/*', handler: answerTask },
  { method: 'GET', path: 'tasks/*/pairs', handler: taskPairs },
  { method: 'GET', path: 'workflows', handler: workflowsPage },
  { method: 'GET', path: 'workflows/*', handler: workflowPage },
  { method: 'POST', path: 'workflows/*/try', handler: tryPage },
  { method: 'GET', path: 'workflows/*/versions/*', handler: versionPage },
];

const patterns = ADDRESSES.map(({ method, path, handler }) => ({ method, handler, parts: path === '' ? [] : path.split('/') }));

/** The handler of a request, or `undefined` if there is none. */
export function handlerFor({ isPost, segments }: Pick<ConsoleRequest, 'isPost' | 'segments'>): PageHandler | undefined {
  const given = segments.slice(1);
  const fits = (parts: readonly string[]): boolean =>
    parts.length === given.length && parts.every((part, index) => part === '*' || part === given[index]);
  return patterns.find(({ method, parts }) => method === (isPost ? 'POST' : 'GET') && fits(parts))?.handler;
}
