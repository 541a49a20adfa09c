// What the compiler goes by in a hint is data: a correction and a reason that producers mark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instead, likeThis, readHint, why, writeInstead, writeLines } from '../../src/compiler/diagnostics/hint-marks.js';

test('a hint marks its correction and its reason, whatever its words are', () => {
  assert.deepEqual(readHint('Just text: "x"'), { hint: 'Just text: "x"' });
  assert.deepEqual(readHint(`Anything at all: ${instead('"x"')}`), {
    hint: 'Anything at all: "x"',
    fix: { as: 'words', text: '"x"', shown: '"x"' },
  });
  const { hint, fix, saysWhy } = readHint(why(`Because.\n${writeLines('if a:\n        log "b"')}\nOr not.`));
  assert.deepEqual(fix, { as: 'lines', text: 'if a:\n    log "b"', shown: 'Write:\n    if a:\n        log "b"' });
  assert.deepEqual([hint, saysWhy], [`Because.\n${fix?.shown}\nOr not.`, true]);
  assert.equal(readHint(likeThis('a line')).fix?.as, 'example');
  assert.equal(readHint(likeThis('a line\n    and another')).fix, undefined, 'an example of several lines replaces none');
  assert.equal(readHint(writeInstead('a line')).fix?.as, 'line');
});
