// What an author waits for: from a keystroke in an editor to the diagnostics of the language server, and a test case that waits for years.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { timeProcess } from '../node-process.mjs';
import { absolute, show } from '../result.mjs';
import { interleave, median } from '../statistics.mjs';
import { variedProgram } from '../varied-program.mjs';
import { program, wf } from '../workspace.mjs';

/** Milliseconds that a keystroke may take, and how often the server then says what it has found. */
const LINES = { 1000: { atMost: 20, looks: 3 }, 24000: { atMost: 250, looks: 2 } };
const nameOf = (lines) => `keystroke to diagnostics, ${Number(lines).toLocaleString('en')} lines`;
const WAITS = '10,000 waits of a test case on a simulated clock';

export const names = [...Object.keys(LINES).map(nameOf), WAITS];

export async function measure({ place, rounds, wanted }) {
  const rows = [];
  for (const [lines, { atMost, looks }] of Object.entries(LINES)) {
    const name = nameOf(lines);
    if (!wanted(name)) continue;
    const { first, complete } = await keystrokes(variedProgram(1, Number(lines)), looks, rounds, place.env);
    const note = `the form of the line; everything, with the pause before it, ${show(median(complete), 'ms')}`;
    rows.push(absolute({ name, unit: 'ms', figures: first, atMost, note }));
  }
  if (wanted(WAITS)) rows.push(await measureWaits(place, rounds));
  return rows;
}

async function measureWaits(place, rounds) {
  const folder = place.fresh();
  const waits = path.join(folder, 'waits.wf');
  writeFileSync(
    waits,
    `config:
    name: "Waits"
    version: 1

workflow:
    trigger: when it is tested

    repeat at most 10000 times:
        wait 1 hours
    complete with day today
`,
  );
  writeFileSync(
    path.join(folder, 'waits.test.json'),
    '[{ "name": "a year", "now": "2026-01-01", "input": {}, "expect": { "status": "completed" } }]',
  );
  const figures = await interleave(
    {
      version: () => timeProcess([wf, '--version'], place.env),
      check: () => timeProcess([wf, 'check', program('twenty-lines.wf')], place.env),
      test: () => timeProcess([wf, 'test', waits], place.env),
    },
    rounds,
  );
  return absolute({
    name: WAITS,
    unit: 'ms',
    figures: figures.test.map((ms, round) => ms - figures.version[round]),
    atMost: 500,
    note: `whole process (${show(median(figures.test), 'ms')}) minus wf --version; wf check of 20 lines ${show(median(figures.check), 'ms')}`,
  });
}

/** Milliseconds from each letter, typed at the end of a line in the middle of the file, to the first diagnostics and to all of them. */
async function keystrokes(text, looks, rounds, env) {
  const child = spawn(process.execPath, [wf, 'lsp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = [];
  let received = Buffer.alloc(0);
  child.stdout.on('data', (part) => {
    received = Buffer.concat([received, part]);
    for (let message = takeMessage(); message !== undefined; message = takeMessage()) waiting.shift()?.(message);
  });
  function takeMessage() {
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, end).toString())?.[1]);
    if (received.length < end + 4 + length) return undefined;
    const message = JSON.parse(received.subarray(end + 4, end + 4 + length).toString());
    received = received.subarray(end + 4 + length);
    return message;
  }
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const next = () => new Promise((resolve) => waiting.push(resolve));
  async function published(version) {
    for (;;) {
      const { method, params } = await next();
      if (method === 'textDocument/publishDiagnostics' && params.version === version) return;
    }
  }
  const uri = 'file:///typed.wf';
  const lines = text.split('\n');
  const line = Math.floor(lines.length / 2);
  try {
    send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
    await next();
    send({ method: 'initialized', params: {} });
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'wf', version: 1, text } } });
    for (let look = 1; look < looks; look++) await published(1);
    const [first, complete] = [[], []];
    for (let version = 2; version < rounds * 3 + 2; version++) {
      const at = { line, character: lines[line].length + version - 2 };
      const started = performance.now();
      send({
        method: 'textDocument/didChange',
        params: { textDocument: { uri, version }, contentChanges: [{ range: { start: at, end: at }, text: 'x' }] },
      });
      await published(version);
      first.push(performance.now() - started);
      for (let look = 1; look < looks; look++) await published(version);
      complete.push(performance.now() - started);
    }
    return { first, complete };
  } finally {
    child.kill('SIGKILL');
  }
}
