// Every example of the playground has no problems, a drawing and rules, and runs there as its cases say.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { OpenFile, Ran } from '../../src/playground/protocol.js';
import { formatted, hovered, knowFiles, look, proposals, views } from '../../src/playground/worker/language.js';
import { Buffer as namedBuffer } from '../../src/playground/worker/node-names.js';
import { type Evaluate, runHere } from '../../src/playground/worker/run.js';
import { fixture } from '../root.js';
import { standIn } from '../stand-in.js';

const examples: OpenFile[] = readdirSync(fixture('examples'))
  .filter((name) => name.endsWith('.wf'))
  .map((name) => ({ name, text: readFileSync(fixture('examples', name), 'utf8') }))
  // It reads a sheet; the build leaves it out.
  .filter(({ name }) => name !== 'shipping-costs.wf');
knowFiles(examples);

/** As a browser does it, which loads the text from an address. */
const evaluate: Evaluate = (code) => new Function('exports', 'require', code) as ReturnType<Evaluate>;

const runText = (text: string, request: object, around: object = {}): Promise<Ran> =>
  runHere({ name: 'case.wf', text, entries: [['json', JSON.stringify(request)]], around: JSON.stringify(around) }, evaluate);

const file = (body: string): string =>
  `config:\n    name: "Case"\n    version: 1\n\nservices:\n    Stock is an API at "https://stock.invalid"\n\nworkflow:\n    trigger: t\n\n${body}\n`;

test('there are enough examples to begin with, and none has a problem', () => {
  assert.ok(examples.length >= 20);
  for (const example of examples) {
    assert.deepEqual(look(example).problems, [], example.name);
    assert.ok(look(example).colours.length > 10);
    const { drawing, rules, fields } = views({ ...example, request: undefined });
    assert.match(drawing, /^<svg/);
    assert.match(rules, /<table>/, example.name);
    assert.equal(typeof fields, 'string');
  }
});

test('the cases of the examples end as they do on the command line', async (t) => {
  // The worker has its own.
  const { Buffer: ofNode } = globalThis;
  globalThis.Buffer = standIn<typeof Buffer>(namedBuffer);
  t.after(() => {
    globalThis.Buffer = ofNode;
  });
  let ran = 0;
  for (const { name, text } of examples) {
    const cases = fixture('examples', name.replace(/\.wf$/, '.test.json'));
    if (!existsSync(cases)) continue;
    const all = JSON.parse(readFileSync(cases, 'utf8'));
    for (const { name: title, input = {}, expect, mocks = {}, messages = {}, env = {}, at, now = at } of all.cases ?? all) {
      if (typeof mocks === 'string') continue;
      const entries = [['json', JSON.stringify(input)]] as const;
      const around = JSON.stringify({ mocks, messages, env, ...(now === undefined ? {} : { now }) });
      const { status, lines, result, drawing } = await runHere({ name, text, entries, around }, evaluate);
      assert.equal(status, expect.status, `${name}: ${title} ${result}`);
      assert.ok(lines.length > 0);
      assert.match(drawing ?? '', /way lit/);
      ran++;
    }
  }
  assert.ok(ran > 50, String(ran));
});

test('warnings about the ways through a text are shown', () => {
  const text = file('    if request.total is above 5:\n        complete with level "high"');
  assert.match(
    look({ name: 'case.wf', text })
      .problems.map(({ message }) => message)
      .join('\n'),
    /ends without a result/,
  );
});

test('a run lights the lines that it took, and says what it did', async () => {
  const text = file(
    '    get stock using Stock at "/items/1"\n        save the result as stock\n    if stock.level is below 3:\n        reject with "<b>low</b>"\n    complete with level stock.level',
  );
  const low = await runText(text, {}, { mocks: { Stock: { 'get stock': { level: 1 } } } });
  assert.deepEqual([low.status, low.lines], ['rejected', [11, 13, 14]]);
  assert.match(low.result, /&#60;b&#62;low|&lt;b&gt;low/, 'text of the file is never markup');
  const high = await runText(text, {}, { mocks: { Stock: { 'get stock': { level: 7 } } } });
  assert.deepEqual([high.status, high.lines], ['completed', [11, 13, 15]]);
});

test('what is wrong with the text, the request or the answers is said before anything runs', async () => {
  assert.match((await runText('nonsense', {})).result, /Correct the mistakes first/);
  const text = file('    complete').replace('services:', 'inputs:\n    total is a number\n\nservices:');
  assert.match((await runText(text, {})).result, /does not fit the inputs[\s\S]*total/);
  const around = async (json: string): Promise<string> =>
    (await runHere({ name: 'case.wf', text: file('    complete'), entries: [], around: json }, evaluate)).result;
  assert.match(await around('{'), /are not JSON/);
  assert.match(await around('[]'), /must be an object/);
  assert.match(await around('{"mock":{}}'), /There is no &quot;mock&quot;|There is no "mock"/);
  assert.match(await around('{"at":"soon"}'), /must be a date and time/);
  assert.match(await around('{"mocks":{"Stock":3}}'), /must be an object with a key for each call/);
});

test('waiting takes no time', async () => {
  const { status, result } = await runText(file('    wait 3 days\n    complete'), {});
  assert.equal(status, 'completed', result);
  assert.match(result, /waiting 72 hours/);
});

test('the form has the declared fields with what was given; what changes it is known', () => {
  const text = file('    complete').replace(
    'services:',
    'inputs:\n    country is one of "DE", "FR"\n    note is a text, optional\n\nservices:',
  );
  const given = views({ name: 'case.wf', text, request: { country: 'FR', note: 'a "b"' } });
  assert.match(given.fields, /<option value="FR" selected>/);
  assert.match(given.fields, /value="a &quot;b&quot;"|value="a &#34;b&#34;"/);
  assert.notEqual(given.shape, views({ name: 'case.wf', text: text.replace('note', 'remark'), request: undefined }).shape);
});

test('proposals, explanations and the one form come from the language service', () => {
  const text = file('    set total to 1\n    log tot');
  const file1 = { name: 'case.wf', text };
  assert.ok(proposals({ ...file1, offset: text.lastIndexOf('tot') + 3 }).items.some(({ label }) => label === 'total'));
  assert.match(hovered({ ...file1, offset: text.indexOf('total') + 1 })?.markdown ?? '', /variable/);
  assert.equal(formatted({ name: 'case.wf', text: file('    log   "x"') }), file('    log "x"'));
  const misspelt = look({ name: 'case.wf', text: file('    compleet') });
  assert.deepEqual(
    misspelt.problems.flatMap(({ fixes }) => fixes.map(({ title }) => title)),
    ['Write "complete"'],
  );
});
