// Colours of workflow text: no text is lost, and keywords, text, numbers and comments are distinguished.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CodeColour, colourCode } from '../../src/console/code/text-view.js';
import { root } from '../root.js';

const joined = (text: string): string =>
  colourCode(text)
    .map((pieces) => pieces.map((piece) => piece.text).join(''))
    .join('\n');

/** The coloured pieces of a line. */
function coloursOf(text: string, line: number): [CodeColour, string][] {
  const pieces = colourCode(text)[line - 1] ?? [];
  return pieces.flatMap((piece) => (piece.colour === 'plain' ? [] : [[piece.colour, piece.text]]));
}

const source = (statement: string): string => `workflow:\n    trigger: by hand\n\n    ${statement}\n`;

test('the pieces of every example are its text', () => {
  const folder = path.join(root, 'fixtures/examples');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.wf'))) {
    const text = readFileSync(path.join(folder, name), 'utf8').trimEnd();
    assert.equal(joined(text), text, name);
  }
});

test('the pieces of any text are its text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(' ', '\n', '#', '"', '{', '}', 'set', 'a', '1', ':', '    '), { maxLength: 40 }),
      (parts) => {
        const text = parts.join('');
        assert.equal(joined(text), text.endsWith('\n') && text !== '\n' ? text.slice(0, -1) : text === '\n' ? '' : text);
      },
    ),
  );
});

test('colours keywords, text with its placeholders, numbers and comments', () => {
  assert.deepEqual(coloursOf(source('set total to 1.5 plus 2 # so far'), 4), [
    ['word', 'set'],
    ['word', 'to'],
    ['number', '1.5'],
    ['word', 'plus'],
    ['number', '2'],
    ['comment', '# so far'],
  ]);
  assert.deepEqual(coloursOf(source('log "Hello {request.name}, # 1"'), 4), [
    ['word', 'log'],
    ['text', '"Hello '],
    ['value', '{request.name}'],
    ['text', ', # 1"'],
  ]);
  assert.deepEqual(coloursOf('# first\nworkflow:', 1), [['comment', '# first']]);
});

test('does not colour a keyword that names a variable', () => {
  assert.deepEqual(coloursOf(source('set result to result plus 1'), 4), [
    ['word', 'set'],
    ['word', 'to'],
    ['word', 'plus'],
    ['number', '1'],
  ]);
});

test('does not colour the words of a step name', () => {
  const text = 'workflow:\n    trigger: by hand\n\n    step Look up the payment with care:\n        log "x"\n';
  assert.deepEqual(coloursOf(text, 4), [['word', 'step']]);
});

test('Windows line ends are not part of a line', () => {
  assert.deepEqual(
    colourCode('workflow:\r\n    trigger: by hand\r\n').map((pieces) => pieces.map(({ text }) => text).join('')),
    ['workflow:', '    trigger: by hand'],
  );
});
