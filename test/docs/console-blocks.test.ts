// Runs every command that the docs show, in a folder with the files of its page, and compares the output with the page.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../free-port.js';
import { cli, fixture } from '../root.js';
import { until } from '../until.js';
import { pages } from './page.js';

// The environment in which the commands of a page run: its folder with files, the commands on the path, and the running server.

/** The commands that the README expects on a fully set up machine. */
const programs: Readonly<Record<string, string>> = {
  wf: `exec "${process.execPath}" "${cli}" "$@"`,
  npx: '[ "$1" = wf ] || { echo "npx: $1 is not here" >&2; exit 127; }; shift; exec wf "$@"',
  npm: 'case "$1" in ci|install|test) exit 0 ;; esac; echo "npm: $1 is not here" >&2; exit 1',
};

class Shell {
  readonly #base = mkdtempSync(path.join(tmpdir(), 'wf-docs-'));
  readonly #folder = path.join(this.#base, 'page');
  readonly #env: Record<string, string>;
  #server: ChildProcess | undefined;
  #port: number | undefined;

  constructor(options: { readonly examples: boolean }) {
    const bin = path.join(this.#base, 'bin');
    mkdirSync(this.#folder);
    mkdirSync(bin);
    for (const [name, script] of Object.entries(programs))
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    if (options.examples) cpSync(fixture('examples'), path.join(this.#folder, 'fixtures', 'examples'), { recursive: true });
    this.#env = {
      PATH: `${bin}:${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      HOME: this.#base,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
    };
  }

  write(file: string, text: string): void {
    const full = path.join(this.#folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }

  /** Once a server has started, port 3000 of the page maps to another port here. */
  readonly #local = (text: string): string => (this.#port === undefined ? text : text.replaceAll('3000', String(this.#port)));

  /** The output of both streams, one element per command. `$?` and the current folder carry over to the next command. */
  async run(commands: readonly string[]): Promise<string[]> {
    const mark = '--- the next command ---';
    const script = commands
      .map((command) => `${this.#local(command)}\nwf_code=$?; printf '\\n${mark}\\n'; (exit $wf_code)`)
      .join('\n');
    const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const text = collect(child);
    await once(child, 'close');
    return text()
      .split(`\n${mark}\n`)
      .slice(0, commands.length)
      .map((output) => this.#shown(output));
  }

  readonly #shown = (output: string): string =>
    this.#port === undefined ? output : output.replaceAll(String(this.#port), '3000');

  /** Starts a server, which runs until the next one or the end of the page. Returns its output once it is `complete`. */
  async serve(command: string, complete: (output: string) => boolean): Promise<string> {
    await this.#stop();
    this.#port = await freePort();
    const server = spawn('bash', ['-c', `exec 2>&1\nexec env ${this.#local(command)}`], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#server = server;
    const text = collect(server);
    // What was printed by then is shown.
    await until(() => complete(this.#shown(text())) || server.exitCode !== null).catch(() => undefined);
    return this.#shown(text());
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'close');
  }

  async close(): Promise<void> {
    await this.#stop();
    rmSync(this.#base, { recursive: true, force: true });
  }
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

interface Command {
  readonly text: string;
  readonly output: string;
}

/** `$ ` starts a command, `> ` continues it; all other lines are output. */
function commandsOf(text: string): Command[] {
  const commands: { text: string; output: string }[] = [];
  for (const line of text.split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: '' });
    else if (line.startsWith('> ') && last !== undefined && last.output === '') last.text += `\n${line.slice(2)}`;
    else if (last !== undefined) last.output += `${line}\n`;
  }
  return commands;
}

/** `…` stands for any text; alone on a line, for any lines. */
function isShown(output: string, actual: string): boolean {
  const withoutNoise = (text: string): string => `${text.replace(/[ \t]+$/gm, '').replace(/\n+$/, '')}\n`;
  const pattern = withoutNoise(output)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/^…\n/gm, '(?:.*\\n)*?')
    .replaceAll('…', '.*');
  return new RegExp(`^${pattern}$`).test(withoutNoise(actual));
}

for (const { name, text, blocks } of pages) {
  const isConsole = (language: string): boolean => language === 'console';
  if (blocks.some(({ language }) => isConsole(language))) {
    test(`the commands of ${name} print what it shows`, async () => {
      const shell = new Shell({ examples: text.includes('fixtures/examples') });
      try {
        for (const block of blocks) {
          if (block.file !== undefined) shell.write(block.file, block.text);
          if (!isConsole(block.language) || block.marks.includes('skip')) continue;
          const commands = commandsOf(block.text);
          const [first] = commands;
          const fails = ({ text: command, output }: Command, actual: string): string =>
            `${block.place}: $ ${command}\nprinted:\n${actual}\ninstead of:\n${output}`;
          if (block.marks.includes('server') && first !== undefined) {
            const actual = await shell.serve(first.text, (printed) => isShown(first.output, printed));
            assert.ok(isShown(first.output, actual), fails(first, actual));
            commands.shift();
          }
          const outputs = await shell.run(commands.map((command) => command.text));
          commands.forEach((command, index) => {
            assert.ok(isShown(command.output, outputs[index] ?? ''), fails(command, outputs[index] ?? ''));
          });
        }
      } finally {
        await shell.close();
      }
    });
  }

  test(`checks every command of ${name}`, () => {
    for (const { place, language, text: content } of blocks) {
      if (['', 'sh', 'bash', 'shell', 'text'].includes(language))
        assert.doesNotMatch(content, /^(\$ |wf |npx )/m, `${place}: commands stand in a block that begins with \`\`\`console`);
    }
  });
}
