// Random programs of waits, slow calls, retries and branches: with mock answers on a simulated clock, they end as with real calls on a clock
// that is wound by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Clock, Sleeper } from '../../runtime/run/clock.js';
import { mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { Outcome, RunOptions, Transport, Value } from '../../runtime/types.js';
import { compile } from '../../src/compiler/compile.js';
import { loadEmitted } from '../compiler/load-emitted.js';
import { runs } from '../root.js';

interface Alarm {
  readonly due: number;
  readonly ring: () => void;
}

/** To a run, a real clock: it knows nothing of what the run still does. */
class WoundClock implements Clock {
  readonly isSimulated = false;
  readonly deadlock = undefined;
  readonly #start: number;
  #passed = 0;
  #alarms: Alarm[] = [];

  constructor(start: number) {
    this.#start = start;
  }

  milliseconds(): number {
    return this.#passed;
  }

  now(): number {
    return this.#start + this.#passed;
  }

  startTimer(sleeper: Sleeper, ms: number): Alarm {
    return this.set(() => sleeper.ring(), ms);
  }

  set(ring: () => void, ms: number): Alarm {
    const alarm = { due: this.#passed + ms, ring };
    this.#alarms.push(alarm);
    return alarm;
  }

  stopTimer(timer: unknown): void {
    this.#alarms = this.#alarms.filter((alarm) => alarm !== timer);
  }

  hold(): void {}

  release(): void {}

  /** Rings the next alarm. */
  wind(): void {
    const next = this.#alarms.reduce<Alarm | undefined>(
      (first, alarm) => (first && first.due <= alarm.due ? first : alarm),
      undefined,
    );
    if (next === undefined) return;
    this.stopTimer(next);
    this.#passed = next.due;
    next.ring();
  }
}

/** One attempt of a call. */
interface Attempt {
  readonly seconds: number;
  readonly status: number;
}

type Statement =
  | { readonly is: 'wait'; readonly seconds: number }
  | { readonly is: 'log' }
  | { readonly is: 'end'; readonly how: 'complete' | 'reject' }
  | { readonly is: 'call'; readonly attempts: readonly Attempt[]; readonly retries: number; readonly waiting: number }
  | { readonly is: 'branches'; readonly branches: readonly (readonly Statement[])[] };

/** So many different ones that hardly two things happen at the same time. */
const seconds = fc.integer({ min: 1, max: 1_000_000 });
const attempt = fc.record({ seconds, status: fc.constantFrom(200, 200, 503, 404) });
const plain: fc.Arbitrary<Statement> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('wait' as const), seconds }) },
  { weight: 2, arbitrary: fc.constant({ is: 'log' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('end' as const), how: fc.constantFrom('complete' as const, 'reject' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('call' as const),
      attempts: fc.array(attempt, { minLength: 1, maxLength: 3 }),
      retries: fc.integer({ min: 0, max: 2 }),
      waiting: seconds,
    }),
  },
);
const bodyOf = (depth: number): fc.Arbitrary<Statement[]> => {
  const branches: fc.Arbitrary<Statement> = fc.record({
    is: fc.constant('branches' as const),
    branches: fc.array(depth === 0 ? fc.array(plain, { minLength: 1, maxLength: 3 }) : bodyOf(depth - 1), {
      minLength: 2,
      maxLength: 3,
    }),
  });
  return fc.array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: branches }), { minLength: 1, maxLength: 4 });
};

class Program {
  readonly calls: (readonly Attempt[])[] = [];
  readonly source: string;
  #steps = 0;

  constructor(body: readonly Statement[]) {
    this.source = [
      'config:',
      '    name: "T"',
      '    version: 1',
      'services:',
      '    Api is an API at "https://api.example.com"',
      '        with timeout 4 days',
      'workflow:',
      '    trigger: when it is tested',
      ...this.#lines(body, '    '),
      '    log "at the end {now}"',
      '    complete with now now',
      '',
    ].join('\n');
  }

  #lines(body: readonly Statement[], indent: string): string[] {
    // Nothing may follow an end.
    const end = body.findIndex(({ is }) => is === 'end');
    return body.slice(0, end === -1 ? undefined : end + 1).flatMap((statement) => this.#printed(statement, indent));
  }

  #printed(statement: Statement, indent: string): string[] {
    const number = ++this.#steps;
    switch (statement.is) {
      case 'wait':
        return [`${indent}wait ${statement.seconds} seconds`];
      case 'log':
        return [`${indent}log "${number} {now}"`];
      case 'end':
        return [
          statement.how === 'complete' ? `${indent}complete with at-${number} now` : `${indent}reject with "${number} {now}"`,
        ];
      case 'call': {
        const { attempts, retries, waiting } = statement;
        const call = this.calls.push(attempts) - 1;
        return [
          `${indent}get it using Api at "/${call}"`,
          `${indent}    save the result as answer-${call}`,
          `${indent}    on failure:`,
          ...(retries === 0
            ? [`${indent}        log "${number} failed {now}"`]
            : [
                `${indent}        retry ${retries} times waiting ${waiting} seconds`,
                `${indent}        if still failing:`,
                `${indent}            log "${number} failed {now}"`,
              ]),
        ];
      }
      case 'branches':
        return [
          `${indent}at the same time:`,
          ...statement.branches.flatMap((branch, index) => [
            `${indent}    step S-${number}-${index}:`,
            ...this.#lines(branch, `${indent}        `),
          ]),
        ];
    }
  }

  mocks(): NonNullable<RunOptions['mock']> {
    const answers = this.calls.map((attempts, call) => [
      `/${call}`,
      { inTurn: attempts.map((one) => ({ takes: `${one.seconds} seconds`, status: one.status, value: call })) },
    ]);
    const parsed = mocksFromJson({ Api: Object.fromEntries(answers) as Record<string, Value> });
    assert.ok(parsed.ok);
    return parsed.mocks;
  }

  transport(clock: WoundClock): Transport {
    const sent = new Map<number, number>();
    return async (request) => {
      const call = Number(new URL(request.url).pathname.slice(1));
      const count = sent.get(call) ?? 0;
      sent.set(call, count + 1);
      const attempts = this.calls[call] ?? [];
      const one = attempts[Math.min(count, attempts.length - 1)] ?? assert.fail();
      await new Promise<void>((resolve, reject) => {
        const alarm = clock.set(resolve, one.seconds * 1_000);
        request.onAbort(() => {
          clock.stopTimer(alarm);
          reject(new Error('aborted'));
        });
      });
      return { status: one.status, headers: { 'content-type': 'application/json' }, body: Buffer.from(String(call)) };
    };
  }
}

const told = ({ status, outputs, message, log }: Outcome): unknown => ({
  status,
  outputs,
  message,
  logged: log.flatMap((entry) => (entry.type === 'log' ? [entry.message] : [])),
});

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('random programs end alike on a simulated clock and on a real one', async () => {
  const startedAt = new Date('2026-03-27T09:00:00Z');
  let concurrent = 0;
  await fc.assert(
    fc.asyncProperty(bodyOf(1), async (body) => {
      const program = new Program(body);
      const compiled = compile(program.source, { file: 't.wf' });
      if (compiled.hasErrors) assert.fail(JSON.stringify(compiled.diagnostics.filter(({ severity }) => severity === 'error')));
      const { run } = await loadEmitted(compiled.emitted.code);
      const simulated = await run({}, { env: {}, mock: program.mocks(), startedAt });
      const clock = new WoundClock(startedAt.getTime());
      let really: Outcome | undefined;
      const running = run({}, { env: {}, transport: program.transport(clock), clock, startedAt }).then((outcome) => {
        really = outcome;
      });
      while (really === undefined) {
        await turns(6);
        clock.wind();
      }
      await running;
      assert.deepEqual(told(simulated), told(really), program.source);
      if (program.source.includes('at the same time')) concurrent++;
    }),
    { numRuns: runs(150) },
  );
  assert.ok(concurrent > runs(24));
});
