// Complete stores of sample runs and tasks, and the sample workflow as the server serves it.

import { checkFile } from '../../src/compiler/compile.js';
import type { ServedWorkflow } from '../../src/console/console-options.js';
import type { DurableStatus } from '../../src/durable/model/run-views.js';
import { completed, fakeWorkflow } from '../server/fake-workflow.js';
import { createFakeStore, type FakeStore } from './fake-store.js';
import { addSample, lineOf, sampleId, sampleText } from './sample-runs.js';

const STATES: readonly DurableStatus[] = [
  'running',
  'completed',
  'waiting',
  'completed',
  'rejected',
  'completed',
  'completed',
  'error',
  'completed',
  'completed',
  'stuck',
  'cancelled',
];

/** This many runs in every state, and one (number 9,000) with 10,000 effects. */
export function fullStore(count: number): FakeStore {
  const store = createFakeStore();
  const now = Date.now();
  for (let number = 0; number < count; number++) {
    const state = number < 12 ? STATES[number] : number % 23 === 0 ? 'error' : number % 19 === 0 ? 'rejected' : 'completed';
    addSample(store, { status: state ?? 'completed', number, items: 2 + (number % 5), createdAt: now - 4_000 - number * 97_000 });
  }
  addSample(store, { status: 'completed', number: 9_000, items: 10_000, createdAt: now - 20 * 60_000 });
  for (const [piece, times] of Object.entries({
    'step Look up': 412,
    'get payment': 412,
    'if request.amount is above payment': 409,
    'reject with "Only': 31,
    'reject with "The payment': 3,
    'if request.amount is above 500': 378,
    'set level to "medium"': 240,
    'set level to "small"': 138,
    'step Return': 378,
    'set returned to 0': 378,
    'for each item': 378,
    'if item.digital': 1204,
    'update stock': 1204,
    'log "The stock': 12,
    'set returned to returned': 1204,
    'create refund': 378,
    'log "Refund': 371,
    'complete with': 371,
  })) {
    store.reachedLines.set(lineOf(piece), times);
  }
  return store;
}

export function addTasks(store: FakeStore): void {
  const task = (number: number, question: string, hours: number, choices?: readonly string[]) => ({
    task: `t-${number}`,
    run: sampleId(2),
    workflow: 'refund',
    service: 'Finance',
    question,
    status: 'open' as const,
    key: `key-of-t-${number}`,
    askedAt: new Date(Date.now() - number * 3_600_000).toISOString(),
    due: new Date(Date.now() + hours * 3_600_000).toISOString(),
    ...(choices === undefined ? {} : { choices }),
    pairs: { amount: 1240.5, customer: 'Ada Lovelace', reason: 'arrived broken' },
  });
  store.openTasks.set('t-1', task(1, 'Approve a refund of 1240.50 for Ada Lovelace', 3, ['approve', 'decline']));
  store.openTasks.set('t-2', task(2, 'Approve a refund of 890 for Grace Hopper', 26, ['approve', 'decline', 'ask back']));
  store.openTasks.set('t-3', task(3, 'Why was the order of Alan Turing sent twice?', 50));
  store.openTasks.set('t-4', {
    ...task(4, 'Approve a refund of 610 for Barbara Liskov', 1, ['approve', 'decline']),
    status: 'answered',
    answer: 'approve',
    by: 'Edsger',
    answeredAt: new Date(Date.now() - 600_000).toISOString(),
    comment: 'Seen the photos.',
  });
}

/** The sample workflow as served now. */
export function servedSample(text = sampleText): ServedWorkflow {
  const { workflow } = checkFile(text, 'refund.wf');
  const fields = ['amount', 'customer', 'items', 'payment', 'reason'];
  const prepared = fakeWorkflow('refund', async () => completed({ refund: 'R-1' }), {
    name: 'Refund',
    version: 3,
    file: 'refund.wf',
    trigger: workflow.trigger,
    requestFields: fields,
    description: 'Pays a customer back and returns the items to the warehouse.',
  });
  return { name: 'refund', path: '/refund', prepared: { ...prepared, source: text } };
}
