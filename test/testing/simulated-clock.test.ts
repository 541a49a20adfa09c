// Runs with mock answers on a simulated clock: what is due first happens first, and nothing really waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { Mocks, Outcome, Value, WfRecord } from '../../runtime/types.js';
import { compile } from '../../src/compiler/compile.js';
import { loadEmitted } from '../compiler/load-emitted.js';

interface Given {
  readonly services?: string;
  readonly config?: string;
  readonly mocks?: Value;
  readonly messages?: Mocks['messages'];
  readonly request?: WfRecord;
}

async function outcomeOf(
  body: string,
  { services, config = '', mocks = {}, messages = {}, request = {} }: Given,
): Promise<Outcome> {
  const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');
  const source = [
    `config:\n    name: "T"\n    version: 1\n${indented(config)}`,
    ...(services === undefined ? [] : [`services:\n${indented(services)}`]),
    `workflow:\n    trigger: when it is tested\n${indented(body)}\n`,
  ].join('\n');
  const compiled = compile(source, { file: 't.wf' });
  assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics));
  const { run } = await loadEmitted(compiled.emitted.code);
  const parsed = mocksFromJson(mocks);
  assert.ok(parsed.ok);
  return run(request, {
    env: {},
    mock: { ...parsed.mocks, messages },
    startedAt: new Date('2026-03-27T09:00:00Z'),
  });
}

const outputs = async (body: string, given: Given = {}): Promise<WfRecord | undefined> => {
  const outcome = await outcomeOf(body, given);
  assert.equal(outcome.status, 'completed', outcome.message);
  return outcome.outputs;
};

const span = (amount: number, unit: 'days' | 'hours' | 'working days') => ({ amount, unit });

test('now and today follow waits, and years take no time', async () => {
  const body = 'set first to now\nwait 90 minutes\nset then to now\nwait 10 years\ncomplete with a first and b then and c today';
  assert.deepEqual(await outputs(body), {
    a: '2026-03-27T09:00:00.000Z',
    b: '2026-03-27T10:30:00.000Z',
    c: '2036-03-27',
  });
});

const race = (first: string, second: string): string => `at the same time:\n    step A:\n${first}\n    step B:\n${second}\n`;
const message = '        wait for stop\n        reject with "stopped on {today}"';
const timer = '        wait 3 days\n        complete with day today';

for (const [order, body] of [
  ['the message first', race(message, timer)],
  ['the timer first', race(timer, message)],
] as const) {
  test(`the earlier of a message and a timer ends the block, ${order} in the file`, async () => {
    const early = await outcomeOf(body, { messages: { stop: [{ message: {}, after: span(2, 'days') }] } });
    assert.deepEqual([early.status, early.message], ['rejected', 'stopped on 2026-03-29']);
    for (const stop of ['none', [{ message: {}, after: span(4, 'days') }]] as const)
      assert.deepEqual(await outputs(body, { messages: { stop } }), { day: '2026-03-30' });
  });
}

test('a call may take as long as the line below it allows, and working hours are those of the file', async () => {
  const body = [
    'get x using S at "/x"',
    '    with timeout 10 minutes',
    '    save the result as x',
    'ask Boss to decide',
    '    save the result as r',
    'complete with x x and r r and at now',
  ].join('\n');
  const given: Given = {
    services: 'S is an API at "https://s.example.com"\nBoss is a person',
    config: 'working hours: "monday to friday 9:00 to 17:00"',
    mocks: {
      S: { 'get x': { takes: '5 minutes', value: 1 } },
      Boss: { ask: { answer: 'yes', after: '8 working hours' } },
    },
  };
  assert.deepEqual(await outputs(body, given), { x: 1, r: 'yes', at: '2026-03-30T09:05:00.000Z' });
});

test('limits and waits of the calendar are told as written, and each is counted from where it starts', async () => {
  const body = [
    'ask Boss to decide',
    '    within request.hours working hours',
    '    save the result as r',
    '    on failure:',
    '        log "{failure.message}"',
    'set asked to now',
    'get x using S at "/x"',
    '    on failure:',
    '        retry 2 times waiting 5 working hours',
    '        if still failing:',
    '            wait 1 second',
    'complete with asked asked and at now',
  ].join('\n');
  const outcome = await outcomeOf(body, {
    services: 'S is an API at "https://s.example.com"\nBoss is a person',
    config: 'working hours: "monday to friday 9:00 to 17:00"',
    mocks: { S: { 'get x': { status: 503 } }, Boss: { ask: { error: 'nobody' } } },
    request: { hours: 8 },
  });
  const logs = outcome.log.filter(({ type }) => type === 'log').map(({ message }) => message);
  assert.deepEqual(logs, ['Boss: ask failed after 1 attempt: no one answered for Boss within 8 working hours.']);
  assert.deepEqual(outcome.outputs, { asked: '2026-03-27T17:00:00.000Z', at: '2026-03-31T11:00:01.000Z' });
});

test('a mock answer is one of the choices: of an AI as it would be read, of a person exactly', async () => {
  const ask = (who: string, to: string): string =>
    `ask ${who} to ${to}\n    choose from "urgent", "normal"\n    save the result as r\n    on failure:\n        set r to failure.message`;
  const chosen = (who: 'Sorter' | 'Boss', answer: Value): Promise<unknown> =>
    outputs(`${ask(who, 'sort this')}\ncomplete with r r`, {
      services: 'Sorter is an AI using "openai/gpt-4o-mini"\nBoss is a person',
      mocks: { [who]: { ask: answer } },
    });
  assert.deepEqual(await chosen('Sorter', 'Urgent.'), { r: 'urgent' });
  assert.deepEqual(await chosen('Sorter', { inTurn: ['who knows', 'NORMAL'] }), { r: 'normal' });
  assert.match(JSON.stringify(await chosen('Sorter', 'who knows')), /none of the choices/);
  assert.deepEqual(await chosen('Boss', 'normal'), { r: 'normal' });
  assert.match(JSON.stringify(await chosen('Boss', 'Normal')), /none of the choices/);
});

test('messages go to one wait each, get the pairs that they leave out, and must not have others', async () => {
  const body = [
    'wait for paid with order 7 at most 10 days',
    '    save the message as first',
    'wait for paid with order 7 at most 10 days',
    '    save the message as second',
    '    if nothing comes:',
    '        set second to empty',
    'complete with first first and second second and day today',
  ].join('\n');
  const first = { message: { amount: 60 }, after: span(2, 'days') };
  const paid = { order: 7, amount: 60 };
  const at = (amount: number, more: WfRecord = {}) => ({ message: { amount: 40, ...more }, after: span(amount, 'days') });
  assert.deepEqual(await outputs(body, { messages: { paid: [at(5), first] } }), {
    first: paid,
    second: { order: 7, amount: 40 },
    day: '2026-04-01',
  });
  for (const late of [at(5, { order: 8 }), at(13)])
    assert.deepEqual(await outputs(body, { messages: { paid: [first, late] } }), {
      first: paid,
      second: null,
      day: '2026-04-08',
    });
});

const ask = 'ask Boss to decide\n    within 4 days\n    save the result as said\n    on failure:\n        set said to "nobody"\n';

test('people answer after a while, in turn, or not at all', async () => {
  const services = 'Boss is a person';
  const twice = `${ask}set first to said\n${ask}complete with first first and second said and now now`;
  const answers = [
    { answer: 'yes', after: '1 working day' },
    { answer: 'no', after: '5 working days' },
  ];
  assert.deepEqual(await outputs(twice, { services, mocks: { Boss: { ask: answers } } }), {
    first: 'yes',
    second: 'nobody',
    now: '2026-04-03T09:00:00.000Z',
  });
  assert.deepEqual(
    await outputs(`${ask}complete with said said and day today`, { services, mocks: { Boss: { ask: { error: 'x' } } } }),
    {
      said: 'nobody',
      day: '2026-03-31',
    },
  );
});

test('calls take their time, within their limits, and retries wait', async () => {
  const services = 'Api is an API at "https://api.example.com"\n    with timeout 2 minutes';
  const body = [
    'at the same time:',
    '    step Call:',
    '        get price using Api at "/price"',
    '            save the result as price',
    '            on failure:',
    '                retry 2 times waiting 1 hour',
    '                if still failing:',
    '                    reject with "no price"',
    '        complete with price price',
    '    step Limit:',
    '        wait 65 minutes',
    '        reject with "too late"',
  ].join('\n');
  const ends = async (answer: Value): Promise<string | undefined> => {
    const { outputs: put, message: said } = await outcomeOf(body, { services, mocks: { Api: { 'get price': answer } } });
    return put === undefined ? said : String(put.price);
  };
  assert.equal(await ends({ takes: '1 minute', value: 4 }), '4');
  assert.equal(await ends(JSON.parse('{ "takes": "1 minute", "fail": 1, "then": 5 }')), '5');
  assert.equal(await ends(JSON.parse('{ "takes": "1 minute", "fail": 2, "then": 5 }')), 'too late');
  assert.equal(await ends({ takes: '2 minutes', value: 4 }), 'too late');
});

test('the time limit of the file counts simulated time', async () => {
  const { error } = await outcomeOf('wait request.days days', { config: 'timeout: 5 days', request: { days: 6 } });
  assert.equal(error?.code, 'WF690');
});

test('a run that could only wait forever ends, unless something else ends the wait', async () => {
  const forEver = await outcomeOf('wait for go', { messages: { go: 'none' } });
  assert.deepEqual(
    [forEver.error?.code, forEver.message],
    ['WF694', 'The run would wait forever: line 7 waits for the message "go", and nothing else can happen any more.'],
  );
  const limited = await outcomeOf('wait for go', { messages: { go: 'none' }, config: 'timeout: 5 days' });
  assert.equal(limited.error?.code, 'WF690');
});

test('a branch that is over waits for its call, but not for a person', async () => {
  const services = 'S is an API at "https://s.example.com"\nBoss is a person';
  const body = (line: string) =>
    `at the same time, until one is done:\n    ${line}\n    wait 1 day\nwait 0 days\ncomplete with now now`;
  const mocks = { S: { 'get x': { takes: '2 days', value: 1 } }, Boss: { ask: { answer: 'yes', after: '2 days' } } };
  const at = async (line: string): Promise<Value> => (await outputs(body(line), { services, mocks }))?.now;
  assert.equal(await at('get x using S at "/x"\n        with timeout 3 days'), '2026-03-29T09:00:00.000Z');
  assert.equal(await at('ask Boss to decide\n        within 3 days'), '2026-03-28T09:00:00.000Z');
});

test('no time passes while a long loop works beside a wait', async () => {
  const body = [
    'at the same time:',
    '    step Wait:',
    '        wait 1 second',
    '        reject with "too early"',
    '    step Work:',
    '        set total to 0',
    '        for each n in request.numbers:',
    '            set total to total plus count of request.numbers',
    '        complete with total total',
  ].join('\n');
  const numbers = Array.from({ length: 1_500 }, (_, n) => n);
  const result = await outcomeOf(body, { request: { numbers } });
  assert.deepEqual([result.status, result.outputs], ['completed', { total: 1_500 * 1_500 }], result.message);
});
