// Random workflows with everything that a run can do, while people answer, messages arrive, a schedule fires and commands of all kinds
// interfere. Judged by what the ledger received, what people were told, and what the runs say in the end.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cli } from '../root.js';
import type { Around, Disturbed } from './chaos-run.js';
import { CHILD, type PlannedWorkflow, planWorkflow, TICK } from './chaos-workflow.js';
import type { Received, Verdict } from './ledger.js';

const WORKFLOWS = 12;

const [KEY, NEXT_KEY] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]; // as many as bytes

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface StoredRun {
  readonly run: string;
  readonly status: string;
  readonly workflow: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly request?: { readonly n?: number };
}

interface Task {
  readonly task: string;
  readonly question: string;
  readonly choices: readonly string[];
}

/** What was tried, and what was said to have worked, for one question of a run. */
interface Answers {
  readonly tried: Set<string>;
  readonly told: Set<string>;
}

const ended: ReadonlySet<string> = new Set(['completed', 'rejected', 'error', 'cancelled']);

class Everything implements Disturbed {
  readonly files: Record<string, string> = { 'child.wf': CHILD, 'tick.wf': TICK };
  readonly #plans: PlannedWorkflow[] = [];
  readonly #answers = new Map<string, Answers>();
  /** Messages that nobody has taken yet, and when to send them. */
  readonly #unsent: { readonly n: number; readonly step: number; readonly at: number }[] = [];
  /** Requests some run of which somebody wanted to end. */
  readonly #cancelled = new Set<number>();
  readonly #violations: string[] = [];
  readonly #received = new Map<string, number>();
  commands = 0;

  constructor(random: () => number) {
    for (let index = 0; index < WORKFLOWS; index++) {
      const plan = planWorkflow(`random${index}`, random);
      this.#plans.push(plan);
      this.files[`${plan.name}.wf`] = plan.text;
    }
  }

  #planOf(n: number): PlannedWorkflow {
    return this.#plans[n % this.#plans.length] as PlannedWorkflow; // it is not empty
  }

  async prepare({ ledger }: Around): Promise<void> {
    ledger.fails = ({ run, step }) => {
      const place = `${run}/${step}`;
      const count = (this.#received.get(place) ?? 0) + 1;
      this.#received.set(place, count);
      return count <= (this.#planOf(run).calls.get(step)?.failures ?? 0) && run > 0;
    };
  }

  async start(around: Around, n: number): Promise<string | undefined> {
    const { name, messages, isOncePerRequest } = this.#planOf(n);
    for (const step of messages) this.#unsent.push({ n, step, at: Date.now() + around.random() * 6_000 - 1_500 });
    await this.#sendMessages(around);
    const [one, other] = await Promise.all(
      Array.from({ length: isOncePerRequest ? 2 : 1 }, () =>
        asked(around, 'POST', `/${name}`, { n }, { prefer: 'respond-async' }),
      ),
    );
    const runs = [one, other].flatMap((answer) => (answer?.status === 202 ? [String(answer.body.run)] : []));
    if (new Set(runs).size > 1 && !this.#cancelled.has(n)) this.#violations.push(`request ${n} started ${runs.join(' and ')}`);
    // Few runs in progress, so that all of them get their share of a busy machine.
    await sleep(around.random() * 400);
    return runs[0];
  }

  others(around: Around): Promise<void>[] {
    const repeated = async (ms: number, act: () => Promise<void>): Promise<void> => {
      while (!around.isOver()) {
        await sleep(ms * (0.5 + around.random()));
        await act();
      }
    };
    return [
      repeated(250, () => this.#answerQuestions(around, 0.4)),
      repeated(100, () => this.#sendMessages(around)),
      repeated(1_000, () => this.#rerunFailed(around)),
      repeated(700, () => this.#command(around)),
      repeated(1_000, () => this.#schedule(around)),
    ];
  }

  async #answerQuestions(around: Around, share: number): Promise<void> {
    const { body } = await asked(around, 'GET', '/tasks');
    for (const { task, question, choices } of (body.tasks ?? []) as readonly Task[]) {
      if (around.random() > share) continue;
      const place = /\d+\/\d+/.exec(question)?.[0] ?? '';
      const answers = this.#answers.get(place) ?? { tried: new Set(), told: new Set() };
      this.#answers.set(place, answers);
      const answer = choices[Math.floor(around.random() * choices.length)] ?? '';
      answers.tried.add(answer);
      if (around.random() < 0.05) {
        if ((await run(around, ['tasks', 'answer', task, answer])) === 0) answers.told.add(answer);
      } else if ((await asked(around, 'POST', `/tasks/${task}`, { answer, by: 'Chaos' })).status === 200)
        answers.told.add(answer);
    }
  }

  async #sendMessages(around: Around): Promise<void> {
    for (;;) {
      const index = this.#unsent.findIndex(({ at }) => at <= Date.now());
      const [message] = index === -1 ? [] : this.#unsent.splice(index, 1);
      if (message === undefined) return;
      const { n, step } = message;
      const body = { order: n, value: n * 1_000 + step };
      const isSent =
        around.random() < 0.05
          ? (await run(around, ['runs', 'send', `go${step}`, '--input', JSON.stringify(body)])) === 0
          : (await asked(around, 'POST', `/messages/go${step}`, body, { 'idempotency-key': `go-${n}-${step}` })).status === 202;
      if (!isSent) this.#unsent.push({ ...message, at: Date.now() + 500 });
    }
  }

  async #rerunFailed(around: Around): Promise<void> {
    const { body } = await asked(around, 'GET', '/runs?status=error&limit=100');
    for (const { run: id } of (body.runs ?? []) as readonly StoredRun[])
      await asked(around, 'POST', `/runs/${id}/rerun`, { from: 'failure' });
  }

  /** A run whose process was killed ten times before it came any further waits for someone who knows that this was not its fault. */
  async #resumeKilled(around: Around): Promise<void> {
    const { body } = await asked(around, 'GET', '/runs?status=stuck&limit=100');
    for (const { run: id, message = '' } of (body.runs ?? []) as readonly StoredRun[])
      if (message.startsWith('The process ended ten times')) await asked(around, 'POST', `/runs/${id}/resume`);
  }

  async #command(around: Around): Promise<void> {
    this.commands++;
    const { body } = await asked(around, 'GET', '/runs?limit=100');
    const runs = (body.runs ?? []) as readonly StoredRun[];
    const any = runs[Math.floor(around.random() * runs.length)];
    const choice = around.random();
    if (choice < 0.2 && any !== undefined && !ended.has(any.status)) {
      const { body: whole } = await asked(around, 'GET', `/runs/${any.run}`);
      const { n } = (whole as unknown as StoredRun).request ?? {};
      if (n === undefined) return;
      this.#cancelled.add(n);
      if (choice < 0.1) await run(around, ['runs', 'cancel', any.run]);
      else await asked(around, 'POST', `/runs/${any.run}/cancel`);
    } else if (choice < 0.3 && any !== undefined) await asked(around, 'POST', `/runs/${any.run}/resume`);
    else if (choice < 0.4) await run(around, ['runs', 'prune', '--older-than', '1d']);
    else if (choice < 0.55) await run(around, ['runs', 'export', '--complete']);
    else if (choice < 0.65) await run(around, ['runs', 'resume']);
    else if (choice < 0.75) {
      // It is refused, but for a moment in which all others are dead: from then on, they need the key.
      const code = await run(around, ['runs', 'rekey'], { WF_NEW_STORE_KEY: KEY });
      if (code === 0) around.env.WF_STORE_KEY = KEY;
    } else if (any !== undefined) await run(around, ['runs', 'show', any.run]);
  }

  /** A process with a schedule, which ends or is killed. */
  async #schedule(around: Around): Promise<void> {
    const words = ['schedule', 'flows/tick.wf', '--cron', '* * * * * *', '--store', around.store];
    const child = spawn(process.execPath, [cli, ...words], { cwd: around.folder, env: around.env, stdio: 'ignore' });
    const over = new Promise((resolve) => child.once('exit', resolve));
    await sleep(1_000 + around.random() * 3_000);
    child.kill(around.random() < 0.5 ? 'SIGKILL' : 'SIGTERM');
    await over;
  }

  async judge(around: Around, accepted: ReadonlyMap<number, string>, patienceMs: number): Promise<Verdict> {
    let runs: readonly StoredRun[] = [];
    for (const until = Date.now() + 2 * patienceMs; Date.now() < until; await sleep(200)) {
      await this.#answerQuestions(around, 1);
      await this.#sendMessages(around);
      await this.#rerunFailed(around);
      await this.#resumeKilled(around);
      runs = (await storedRuns(around)) ?? runs;
      const isRerun = (n: number): boolean => runs.some(({ status, request }) => request?.n === n && status !== 'error');
      if (
        runs.length > 0 &&
        runs.every(({ status, request }) => ended.has(status) && (status !== 'error' || isRerun(request?.n ?? 0)))
      )
        break;
    }
    const violations = [...this.#violations];
    const byRequest = new Map<number, StoredRun[]>();
    for (const one of runs) {
      const { n } = one.request ?? {};
      if (n !== undefined) byRequest.set(n, [...(byRequest.get(n) ?? []), one]);
      else if (one.workflow !== 'tick') violations.push(`${one.run} has no request`);
      else if (one.status !== 'completed') violations.push(`tick ${one.run} is ${one.status}: ${one.message}`);
    }
    for (const [n, id] of accepted) {
      const found = byRequest.get(n) ?? [];
      if (!found.some((one) => one.run === id)) violations.push(`request ${n} was lost`);
    }
    for (const [n, found] of byRequest) violations.push(...this.#judgeRequest(n, found).map((wrong) => `request ${n}: ${wrong}`));
    const sent = this.#judgeCalls(around.ledger.received);
    return { ...sent, violations: [...violations, ...sent.violations] };
  }

  #judgeRequest(n: number, runs: readonly StoredRun[]): string[] {
    const { outputs, isOncePerRequest } = this.#planOf(n);
    if (this.#cancelled.has(n)) return runs.every(({ status }) => ended.has(status)) ? [] : ['was cancelled, and goes on'];
    const done = runs.filter(({ status }) => status === 'completed');
    const states = runs.map((one) => JSON.stringify({ ...one, log: undefined })).join('; ');
    if (done.length !== 1) return [`ended as ${states}`];
    if (isOncePerRequest && runs.some(({ status }) => status !== 'completed' && status !== 'error')) return [`once: ${states}`];
    const violations: string[] = [];
    for (const [name, kind] of outputs) {
      const value = done[0]?.outputs?.[name];
      const step = Number(name.slice(1));
      const { tried, told } = this.#answers.get(`${n}/${step}`) ?? { tried: new Set(), told: new Set() };
      // Somebody who was told nothing may have been heard all the same.
      const isRight = kind === 'question' ? (told.size > 0 ? told : tried).has(value as string) : value === n * 1_000 + step;
      if (!isRight || told.size > 1) violations.push(`${name} is ${value}; told ${[...told]}, tried ${[...tried]}`);
    }
    return violations;
  }

  #judgeCalls(received: readonly Received[]): Verdict {
    const violations: string[] = [];
    const byRequest = grouped(received, ({ run: n }) => n);
    const keys = new Map<string, string>();
    let [calls, repeated] = [0, 0];
    for (const [n, all] of byRequest) {
      const byStep = grouped(all, ({ step }) => step);
      calls += byStep.size;
      for (const { step, key } of all) {
        const place = n === 0 ? `tick ${step}` : `call ${n}/${step}`;
        if ((keys.get(key) ?? place) !== place) violations.push(`${place} and ${keys.get(key)} share the key ${key}`);
        keys.set(key, place);
      }
      if (n === 0) continue;
      const plan = this.#planOf(n);
      for (const [step, arrivals] of byStep) {
        const { isAtMostOnce = false, failures = 0 } = plan.calls.get(step) ?? {};
        repeated += Math.max(0, arrivals.length - 1 - failures);
        if (isAtMostOnce && arrivals.length > 1 && !this.#cancelled.has(n))
          violations.push(`call ${n}/${step} at most once was sent again`);
        // A rerun has keys of its own, as a request that is repeated after it was cancelled.
        const different = new Set(arrivals.map(({ key }) => key)).size;
        if (different > 1 && !plan.fails && !this.#cancelled.has(n))
          violations.push(`call ${n}/${step} came with ${different} keys`);
      }
      for (const [step, { isCertain }] of plan.calls)
        if (isCertain && !byStep.has(step) && !this.#cancelled.has(n)) violations.push(`call ${n}/${step} was lost`);
      if (this.#cancelled.has(n) && plan.isOncePerRequest) continue;
      for (const { earlier, later, ms } of plan.orders)
        violations.push(...outOfOrder(byStep, earlier, later, ms).map((wrong) => `${n}: ${wrong}`));
    }
    return { calls, repeated, violations };
  }

  /** What is exported says the same in another store, and so does a store with another key, even if giving it was interrupted. */
  async after(around: Around): Promise<string[]> {
    const exported = path.join(around.folder, 'exported.jsonl');
    const other = { ...around, store: around.store === 'runs' ? 'other' : path.join(around.folder, 'other') };
    const whole = await listed(around);
    const violations: string[] = [];
    const expect = (what: string, found: unknown, wanted: unknown): void => {
      if (found !== wanted) violations.push(`${what}: ${found}, not ${wanted}`);
    };
    expect('export', await run(around, ['runs', 'export', '--complete'], {}, exported), 0);
    expect('import', await run(other, ['runs', 'import', exported]), 0);
    expect('the imported runs', await listed(other), whole);
    const rekey = { WF_NEW_STORE_KEY: NEXT_KEY };
    const opened = { WF_STORE_KEY: NEXT_KEY };
    await run(around, ['runs', 'rekey'], rekey, undefined, around.random() * 1_000);
    // It may have ended before it was killed, and then needs the new key.
    const isDone = (await run(around, ['runs', 'rekey'], rekey)) === 0 || (await listed(around, opened)) === whole;
    expect('another key', isDone, true);
    expect('the runs with another key', await listed(around, opened), whole);
    return violations;
  }
}

function grouped(received: readonly Received[], keyOf: (one: Received) => number): Map<number, Received[]> {
  const groups = new Map<number, Received[]>();
  for (const one of received) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** What came out of order, or too early. */
function outOfOrder(
  byStep: ReadonlyMap<number, readonly Received[]>,
  earlier: readonly number[],
  later: readonly number[],
  ms: number,
): string[] {
  const arrivals = (steps: readonly number[]): Received[] => steps.flatMap((step) => byStep.get(step) ?? []);
  const last = arrivals(earlier).reduce<Received | undefined>(
    (one, other) => (other.at > (one?.at ?? 0) ? other : one),
    undefined,
  );
  if (last === undefined) return [];
  const violations: string[] = [];
  for (const { step, at, body } of arrivals(later)) {
    if (at < last.at) violations.push(`call ${last.step} was sent again after its record: after call ${step}`);
    else if (at - last.at < ms) violations.push(`call ${step} came ${at - last.at} ms after call ${last.step}, not ${ms}`);
    const now = Date.parse((JSON.parse(body) as { readonly at: string }).at);
    if (ms > 0 && now - last.at < ms)
      violations.push(`now is ${now - last.at} ms after call ${last.step}, not ${ms}, in call ${step}`);
  }
  return violations;
}

interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @returns status 0 without an answer */
async function asked(
  { url }: Around,
  method: string,
  address: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  try {
    const answer = await fetch(url() + address, {
      method,
      headers: { authorization: 'Bearer chaos-operator', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5_000),
    });
    return { status: answer.status, body: (await answer.json()) as Asked['body'] }; // wf answers with objects
  } catch {
    return { status: 0, body: {} };
  }
}

/** All runs that someone started, or `undefined` if they could not be read. */
async function storedRuns(around: Around): Promise<StoredRun[] | undefined> {
  const found: StoredRun[] = [];
  let cursor = '';
  do {
    const { status, body } = await asked(around, 'GET', `/runs?limit=100${cursor}`);
    if (status !== 200) return undefined;
    for (const { run: id } of body.runs as readonly StoredRun[]) {
      const whole = await asked(around, 'GET', `/runs/${id}`);
      if (whole.status !== 200) return undefined;
      found.push(whole.body as unknown as StoredRun); // of the API
    }
    cursor = body.next === undefined ? '' : `&cursor=${encodeURIComponent(String(body.next))}`;
  } while (cursor !== '');
  return found;
}

/** Runs a command over the store. Returns its exit code. */
async function run(
  { folder, store, env }: Around,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
  into?: string,
  killedAfterMs?: number,
): Promise<number | null> {
  const output = into === undefined ? 'ignore' : openSync(into, 'w');
  const child = spawn(process.execPath, [cli, ...words, '--store', store], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', output, process.env.CHAOS_LOUD ? 'inherit' : 'ignore'],
  });
  const timer = killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  if (typeof output === 'number') closeSync(output);
  return code;
}

/** The runs and their states. */
async function listed(around: Around, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = path.join(around.folder, 'listed.json');
  if ((await run(around, ['runs', 'list', '--json', '--limit', '500'], env, file)) !== 0) return 'an error';
  const { runs } = JSON.parse(readFileSync(file, 'utf8')) as { readonly runs: readonly StoredRun[] }; // printed by wf
  return runs.map(({ run: id, status }) => `${id} ${status}`).join('; ');
}

export const everything = (random: () => number): Disturbed & { readonly commands: number } => new Everything(random);
