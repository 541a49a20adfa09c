// Starts Node.js processes and measures them from outside: duration, peak memory, and what a server uses while it runs.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { here } from './workspace.mjs';

const fail = (args, status, text) => new Error(`node ${args.join(' ')} ended with ${status}:\n${text.slice(0, 2000)}`);

/** Milliseconds from the start to the end of `node …args`. @throws Error if its exit code is not 0 */
export function timeProcess(args, env) {
  const started = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
  const took = performance.now() - started;
  if (status !== 0) throw fail(args, status, `${stdout}${stderr}`);
  return took;
}

/** Peak memory of `node …args`, in bytes. The preloaded module that reports it makes no measurable difference. */
export function peakMemory(args, env) {
  const all = ['--require', path.join(here, 'peak-memory.cjs'), ...args];
  const { status, output } = spawnSync(process.execPath, all, {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw fail(args, status, `${output[1]}${output[2]}`);
  return Number(output[3]);
}

/** Runs `node …args` and returns the line of JSON that it prints. */
export async function askProcess(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (data) => {
      said[name] += data;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw fail(args, code, said.stderr);
  return JSON.parse(said.stdout);
}

/** Starts a server in a separate process. Resolves once it has printed its address on 127.0.0.1. */
export async function startServer(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  const port = await new Promise((resolve, reject) => {
    const hear = (data) => {
      said += data;
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', (code) => reject(fail(args, code, said)));
  });
  return {
    port,
    /** Current resident bytes. */
    memory: () => residentBytes(child.pid),
    /** Milliseconds of CPU time since the start; `undefined` if the system doesn't report it. */
    processorTime: () => processorTime(child.pid),
    async stop() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function residentBytes(pid) {
  if (existsSync(`/proc/${pid}/status`))
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)]).stdout) * 1024;
}

/** Linux clock ticks, 100 per second on all systems that Node.js supports. User and system time are fields 14 and 15. */
function processorTime(pid) {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
