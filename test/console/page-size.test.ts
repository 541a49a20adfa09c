// Pages of long things: each stays small, and leads on to what it leaves out.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { post } from '../server/test-server.js';
import { until } from '../until.js';
import { storedConsole } from './stored-console.js';
import { webClient } from './web-client.js';

test('long texts and long questions are on small pages, which lead on to the rest', async (t) => {
  const lines = Array.from({ length: 400 }, (_, index) => `    set value${index} to request.n plus ${index}`);
  const text = `config:
    name: "Long"
    version: 1

services:
    Boss is a person

workflow:
    trigger: t

${lines.join('\n')}
    if request.n is above 1:
        log "more than one"
    ask Boss to decide about {request.text}
        save the result as decision
    complete with decision decision
`;
  const { server, store } = await storedConsole(t, 'long.wf', (folder) => writeFileSync(path.join(folder, 'long.wf'), text));
  const client = webClient(server.url);
  const runs: string[] = [];
  for (let n = 0; n < 12; n++) {
    const { headers } = await post(
      `${server.url}/long`,
      { n, text: 'A long question. '.repeat(200) },
      { prefer: 'respond-async' },
    );
    runs.push(headers.get('x-run-id') ?? '');
  }
  await until(async () => (await store.tasks()).tasks.length === 12);
  const page = async (address: string): Promise<string> => {
    const { status, text: body } = await client.get(address);
    assert.equal(status, 200, address);
    // With the style sheet and the script, less than 60 KB.
    assert.ok(Buffer.byteLength(body) < 27_000, `${address}: ${Buffer.byteLength(body)} bytes`);
    return body;
  };
  await page(`/console/runs/${runs[0]}`);
  let [tasks, found] = ['/console/tasks', 0];
  while (tasks !== '') {
    const body = await page(tasks);
    found += body.match(/class="card task"/g)?.length ?? 0;
    tasks = /href="(\/console\/tasks\?cursor=[^"]*)">More/.exec(body)?.[1] ?? '';
  }
  assert.equal(found, 12);
  const compared = await page(`/console/compare?run=${runs[1]}&run=${runs[2]}`);
  assert.ok(compared.includes('<a href="#L412">line 412</a>'), compared);
  assert.ok(compared.includes('id="L412" class="waiting"'), compared);
  const before = /href="([^"]*)">Lines before 392</.exec(compared)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const earlier = await page(before);
  assert.ok(earlier.includes('>Lines before 242<') && earlier.includes('>Lines from '), earlier);
});

test('a run that did much on each line begins with fewer of them', async (t) => {
  const lines = Array.from({ length: 110 }, () => '    log "{request.text}"').join('\n');
  const text = `config:\n    name: "Loud"\n    version: 1\n\nworkflow:\n    trigger: t\n\n${lines}\n    complete\n`;
  const { server } = await storedConsole(t, 'loud.wf', (folder) => writeFileSync(path.join(folder, 'loud.wf'), text));
  const client = webClient(server.url);
  const { headers } = await post(`${server.url}/loud`, { text: 'Something to read. '.repeat(60) });
  const page = await client.get(`/console/runs/${headers.get('x-run-id')}`);
  assert.ok(Buffer.byteLength(page.text) < 30_000, `${Buffer.byteLength(page.text)} bytes`);
  const [, rest = ''] = /<li class="rest"><a data-more="near" href="([^"#]+)#L\d+">Lines \d+ to \d+</.exec(page.text) ?? [];
  assert.match((await client.get(rest.replaceAll('&amp;', '&'))).text, /id="L117"/);
});
