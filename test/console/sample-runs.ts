// Runs of the sample workflow in every state and size, as a store would return them. For tests and screenshots.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DurableStatus, JournalEntry, RunDetail } from '../../src/durable/model/run-views.js';
import { root } from '../root.js';
import type { FakeStore } from './fake-store.js';

export const sampleFile = path.join(root, 'test/console/samples/refund.wf');
export const sampleText = readFileSync(sampleFile, 'utf8');
export const sampleHash = 'a3f1c9d27b5e4f60';

/** A number instead of a date: each run is a little older than the one before. */
export const sampleId = (number: number): string => `0199c0de-7000-7000-8000-${String(number).padStart(12, '0')}`;

/** Line numbers of the sample, found by part of their text. */
export function lineOf(piece: string): number {
  const index = sampleText.split('\n').findIndex((line) => line.includes(piece));
  if (index === -1) throw new Error(`The sample has no line with ${piece}`);
  return index + 1;
}

const customers = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Edsger Dijkstra', 'Barbara Liskov'];

export interface SampleOptions {
  readonly status: DurableStatus;
  readonly number?: number;
  readonly createdAt?: number;
  readonly items?: number;
  readonly change?: Partial<RunDetail>;
}

/** Inserts a run into the store; returns its id. */
export function addSample(
  store: FakeStore,
  { status, number = store.runs.size, createdAt = Date.now() - number * 95_000, items = 2, change = {} }: SampleOptions,
): string {
  store.texts.set(sampleHash, {
    workflow: 'refund',
    title: 'Refund',
    version: 3,
    file: 'refund.wf',
    text: sampleText,
    content: sampleHash,
  });
  const run = sampleId(number);
  const customer = customers[number % customers.length] ?? '';
  const amount = 40 + ((number * 37) % 600);
  const request = {
    payment: `P-${1000 + number}`,
    customer,
    amount,
    reason: 'arrived broken',
    items: Array.from({ length: Math.min(items, 500) }, (_, index) => ({ sku: `SKU-${index + 1}`, quantity: 1, digital: false })),
  };
  const journal = journalOf(status, createdAt, items, customer, amount);
  const last = journal.at(-1);
  const isOver = ['completed', 'rejected', 'error', 'cancelled'].includes(status);
  const end = Date.parse(last?.finishedAt ?? last?.startedAt ?? new Date(createdAt).toISOString()) + 2;
  const startedAt = new Date(createdAt).toISOString();
  const detail: RunDetail = {
    run,
    workflow: 'refund',
    title: 'Refund',
    version: 3,
    status,
    createdAt: startedAt,
    startedAt,
    request,
    textHash: sampleHash,
    about: `${request.payment} · ${customer} · ${amount} · arrived broken`,
    durationMs: (isOver ? end : Date.now()) - createdAt,
    ...(isOver ? { finishedAt: new Date(end).toISOString() } : {}),
    ...outcomeOf(status, createdAt, items),
    reruns: [],
    effects: journal.filter(({ kind }) => kind === 'call').length,
    ...change,
  };
  store.runs.set(run, { detail, journal, reached: reachedOf(status, items) });
  return run;
}

function outcomeOf(status: DurableStatus, createdAt: number, items: number): Partial<RunDetail> {
  const call = lineOf('get payment');
  switch (status) {
    case 'completed':
      return { outputs: { refund: 'R-5512', level: 'medium', returned: items } };
    case 'rejected':
      return { message: 'Only 20 were paid.' };
    case 'error': {
      const message =
        'The call "create refund" to Payments failed: 422 Unprocessable Content (POST {env.PAYMENTS_URL}/refunds, 1 attempt)';
      return { message, error: { message, line: lineOf('create refund'), column: 5, code: 'WF610' } };
    }
    case 'waiting':
      return {
        waitingFor: { kind: 'retry', service: 'Payments', until: new Date(createdAt + 3_600_000).toISOString(), line: call },
      };
    case 'stuck':
      return {
        message:
          'The run has come to another effect than the recorded one: TeamChat: POST instead of Warehouse: PUT /stock/{item.sku}. Change the environment back, or cancel the run.',
        error: { message: 'Another effect than the recorded one.', line: lineOf('update stock'), code: 'WF630' },
      };
    case 'cancelled':
      return { message: 'The run was cancelled.' };
    case 'running':
      return {};
  }
}

function reachedOf(status: DurableStatus, items: number): Record<string, number> {
  const reached: Record<string, number> = {};
  const reach = (piece: string, count = 1): void => {
    reached[lineOf(piece)] = count;
  };
  reach('step Look up');
  reach('get payment');
  if (status === 'waiting') return reached;
  reach('if request.amount is above payment');
  if (status === 'rejected') {
    reach('reject with "Only');
    return reached;
  }
  reach('if request.amount is above 500');
  reach('set level to "medium"');
  reach('step Return');
  reach('set returned to 0');
  reach('for each item');
  const rounds = status === 'running' || status === 'stuck' ? Math.ceil(items / 2) : items;
  reach('if item.digital', rounds);
  reach('update stock', rounds);
  if (rounds > 1 && status !== 'stuck') reach('set returned to returned', rounds - (status === 'running' ? 1 : 0));
  const failed = Array.from({ length: rounds }, (_, index) => index + 1).filter((round) => round % 7 === 3).length;
  if (failed > 0) reach('log "The stock', failed);
  if (status === 'running' || status === 'stuck') return reached;
  reach('create refund');
  if (status === 'error') return reached;
  reach('log "Refund');
  reach('complete with');
  return reached;
}

function journalOf(status: DurableStatus, createdAt: number, items: number, customer: string, amount: number): JournalEntry[] {
  const entries: JournalEntry[] = [];
  let at = createdAt + 3;
  const add = (entry: Partial<JournalEntry> & Pick<JournalEntry, 'kind'>, ms: number | undefined): void => {
    const startedAt = new Date(at).toISOString();
    at += ms ?? 0;
    entries.push({
      position: entries.length,
      branch: '',
      startedAt,
      ...(ms === undefined ? {} : { finishedAt: new Date(at).toISOString() }),
      ...entry,
    });
  };
  const payments = {
    service: 'Payments',
    phrase: 'get payment',
    method: 'GET',
    line: lineOf('get payment'),
    url: 'https://pay.example/payments/P-1001',
  };
  add({ kind: 'call', ...payments, attempt: 1, ok: false, status: 503, error: '503 Service Unavailable' }, 212);
  if (status === 'waiting') {
    add({ kind: 'retry', line: payments.line, attempt: 2, due: new Date(createdAt + 3_600_000).toISOString() }, undefined);
    return entries;
  }
  add({ kind: 'retry', line: payments.line, attempt: 2, due: new Date(at + 5_000).toISOString() }, 5_000);
  add(
    {
      kind: 'call',
      ...payments,
      attempt: 2,
      ok: true,
      status: 200,
      answer: {
        id: 'P-1001',
        amount: status === 'rejected' ? 20 : 900,
        currency: 'EUR',
        customer: { name: customer, since: '2019-04-01' },
      },
    },
    87,
  );
  if (status === 'rejected') return entries;
  const rounds = status === 'running' || status === 'stuck' ? Math.ceil(items / 2) : items;
  const loop = lineOf('for each item');
  for (let round = 1; round <= rounds; round++) {
    const isLast = round === rounds;
    const isOpen = isLast && status === 'running';
    const failed = round % 7 === 3;
    const about = {
      service: 'Warehouse',
      phrase: 'update stock',
      method: 'PUT',
      url: `https://stock.example/stock/SKU-${round}`,
      line: lineOf('update stock'),
    };
    add(
      {
        kind: 'call',
        ...about,
        attempt: 1,
        rounds: [[loop, round]],
        sent: { change: 1 },
        ...(isOpen
          ? {}
          : failed
            ? { ok: false, status: 409, error: '409 Conflict' }
            : { ok: true, status: 200, answer: { sku: `SKU-${round}`, stock: 40 + round } }),
      },
      isOpen ? undefined : 9 + (round % 11),
    );
    if (failed && !isOpen)
      add(
        {
          kind: 'log',
          line: lineOf('log "The stock'),
          rounds: [[loop, round]],
          message: `The stock of SKU-${round} is not updated: Warehouse answered 409 Conflict`,
        },
        0,
      );
  }
  if (status === 'running' || status === 'stuck') return entries;
  const refund = {
    service: 'Payments',
    phrase: 'create refund',
    method: 'POST',
    line: lineOf('create refund'),
    url: 'https://pay.example/refunds',
    attempt: 1,
    sent: { payment: 'P-1001', amount, reason: 'arrived broken' },
  };
  if (status === 'error') {
    add(
      {
        kind: 'call',
        ...refund,
        ok: false,
        status: 422,
        error: '422 Unprocessable Content',
        answer: { error: 'the account is closed' },
      },
      143,
    );
    return entries;
  }
  add({ kind: 'call', ...refund, ok: true, status: 201, answer: { id: 'R-5512', state: 'on its way' } }, 143);
  add({ kind: 'log', line: lineOf('log "Refund'), message: `Refund R-5512 of ${amount} is on its way to ${customer}` }, 0);
  return entries;
}
