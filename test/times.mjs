// What tests cost, with WF_TEST_TIMES=1. Loaded into each test process, it notes the processor time of its file; as a reporter of node's test
// runner, it prints the slowest files and tests.
import { appendFileSync, readFileSync } from 'node:fs';

/** Lines of each list. */
const SHOWN = Number(process.env.WF_TEST_TIMES_SHOWN ?? 25);
const { WF_TEST_TIMES_FILE: notes = '', WF_TEST_TIMES_OF: folder = '' } = process.env;
const nameOf = (file) => file.slice(folder.length + 1).replace(/\.mjs$/, '.ts');

if (process.argv[1]?.startsWith(`${folder}/`))
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const wall = performance.now();
    const file = nameOf(process.argv[1]);
    appendFileSync(notes, `${JSON.stringify({ file, wall, own: (user + system) / 1_000, children: childrenMs() })}\n`);
  });

/** Milliseconds of processor time of processes that this one started and that have ended. Only Linux tells. */
function childrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}

const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(7);
const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* times(events) {
  const tests = [];
  for await (const { type, data } of events)
    if (type === 'test:pass' || type === 'test:fail')
      tests.push({ name: data.name, file: nameOf(data.file ?? ''), ms: data.details.duration_ms });
  const files = readFileSync(notes, 'utf8').trim().split('\n').map(JSON.parse);
  yield '\nSeconds of processor time, of processes it started, and in total:\n';
  yield `${seconds(sum(files, ({ own }) => own))}${seconds(sum(files, ({ children }) => children))}${seconds(sum(files, ({ wall }) => wall))}  all ${files.length} files\n`;
  files.sort((one, other) => other.own + other.children - one.own - one.children);
  for (const { file, wall, own, children } of files.slice(0, SHOWN))
    yield `${seconds(own)}${seconds(children)}${seconds(wall)}  ${file}\n`;
  yield '\nThe slowest tests, in seconds:\n';
  tests.sort((one, other) => other.ms - one.ms);
  for (const { ms, file, name } of tests.slice(0, SHOWN)) yield `${seconds(ms)}  ${file}: ${name}\n`;
}
