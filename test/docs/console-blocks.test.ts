// Runs every command that the docs show, in a folder with the files of its page, and compares the output with the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from './page.js';
import { Shell } from './shell.js';

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
