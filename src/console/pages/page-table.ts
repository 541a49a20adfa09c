// Lists the addresses of the console's pages and changes.
import type { PageHandler } from './console-page.js';
import { runDrawingPage, workflowDrawingPage } from './drawing-page.js';
import { commentRun } from './run/activity.js';
import { comparePage } from './run/compare-page.js';
import { effectPage, linePage, valuePage } from './run/effect-page.js';
import { sendMessage } from './run/message-form.js';
import { rerunPage, rerunRun } from './run/rerun-page.js';
import { cancelPage, changePage, changeRun, changeRuns, erasePage, skipPage } from './run/run-actions.js';
import { runPage } from './run/run-page.js';
import { whyPage } from './run/why-page.js';
import { runsPage } from './runs/runs-page.js';
import { saveView } from './runs/saved-views.js';
import { answerTask, assignTask, taskPairs } from './tasks/answer-task.js';
import { tasksPage } from './tasks/tasks-page.js';
import { startPage, startRun } from './workflows/start-page.js';
import { tryPage } from './workflows/try-page.js';
import { callsPart, versionPage, versionsPart } from './workflows/versions.js';
import { workflowPage } from './workflows/workflow-page.js';
import { workflowsPage } from './workflows/workflows-page.js';

interface Address {
  readonly method: 'get' | 'post';
  /** As Express writes it. */
  readonly path: string;
  readonly page: PageHandler;
}

export const pages: readonly Address[] = [
  { method: 'get', path: '/console', page: runsPage },
  { method: 'get', path: '/console/runs', page: runsPage },
  { method: 'post', path: '/console/runs', page: changeRuns },
  { method: 'get', path: '/console/change', page: changePage },
  { method: 'post', path: '/console/views', page: saveView },
  { method: 'get', path: '/console/runs/:run', page: runPage },
  { method: 'get', path: '/console/runs/:run/why', page: whyPage },
  { method: 'get', path: '/console/runs/:run/drawing', page: runDrawingPage },
  { method: 'get', path: '/console/runs/:run/cancel', page: cancelPage },
  { method: 'post', path: '/console/runs/:run/cancel', page: changeRun },
  { method: 'get', path: '/console/runs/:run/erase', page: erasePage },
  { method: 'post', path: '/console/runs/:run/erase', page: changeRun },
  { method: 'post', path: '/console/runs/:run/resume', page: changeRun },
  { method: 'post', path: '/console/runs/:run/retry', page: changeRun },
  { method: 'get', path: '/console/runs/:run/skip', page: skipPage },
  { method: 'post', path: '/console/runs/:run/skip', page: changeRun },
  { method: 'get', path: '/console/runs/:run/rerun', page: rerunPage },
  { method: 'post', path: '/console/runs/:run/rerun', page: rerunRun },
  { method: 'post', path: '/console/runs/:run/message', page: sendMessage },
  { method: 'get', path: '/console/runs/:run/values/:value', page: valuePage },
  { method: 'get', path: '/console/runs/:run/lines/:line', page: linePage },
  { method: 'get', path: '/console/runs/:run/effects/:effect', page: effectPage },
  { method: 'get', path: '/console/runs/:run/effects/:effect/:part', page: valuePage },
  { method: 'get', path: '/console/compare', page: comparePage },
  { method: 'post', path: '/console/runs/:run/comment', page: commentRun },
  { method: 'get', path: '/console/tasks', page: tasksPage },
  { method: 'post', path: '/console/tasks/:task', page: answerTask },
  { method: 'post', path: '/console/tasks/:task/assign', page: assignTask },
  { method: 'get', path: '/console/tasks/:task/pairs', page: taskPairs },
  { method: 'get', path: '/console/workflows', page: workflowsPage },
  { method: 'get', path: '/console/workflows/:workflow', page: workflowPage },
  { method: 'get', path: '/console/workflows/:workflow/calls', page: callsPart },
  { method: 'get', path: '/console/workflows/:workflow/versions', page: versionsPart },
  { method: 'get', path: '/console/workflows/:workflow/drawing', page: workflowDrawingPage },
  { method: 'get', path: '/console/workflows/:workflow/start', page: startPage },
  { method: 'post', path: '/console/workflows/:workflow/start', page: startRun },
  { method: 'post', path: '/console/workflows/:workflow/try', page: tryPage },
  { method: 'get', path: '/console/workflows/:workflow/versions/:version', page: versionPage },
];

/** Addresses that show no page of their own. */
export const formAddresses: readonly string[] = pages
  .filter(({ method, path }) => method === 'post' && !pages.some((one) => one.method === 'get' && one.path === path))
  .map(({ path }) => path);
