// What a change of a long file shows at once, compared with what a check of all of it finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WfDocument } from '../../src/language-service/document.js';
import { firstLook, type LastCheck } from '../../src/language-service/first-look.js';

const checked = (text: string): LastCheck => ({ text, diagnostics: new WfDocument(text, 'a.wf').checked.diagnostics });
const shown = ({ diagnostics }: Pick<LastCheck, 'diagnostics'>): string[] =>
  diagnostics.map(({ code, span }) => `${code} ${span.start}–${span.end}`).sort();

const workflow = (body: string): string => `config:
    name: "A"
    version: 1

services:
    Shop is an API at "https://shop.example"

workflow:
    trigger: when an order is placed

${body}`;

const text = workflow(`    log "{above}"
    set total to request.total
    if total is above 5:
        log "many"
        # far more than usual

    otherwise if total is above 2:
        log "some"
    otherwise:
        log "few"
    step Tell the shop:
        send note using Shop at "/notes" with text "done"
            on failure:
                retry 2 times waiting 1 seconds
    log "{below}"
    complete with total total
`);

test('a mistake in the form of a line is found in its statement, wherever it is', () => {
  const lines = text.split('\n');
  const before = checked(text);
  let found = 0;
  for (let at = lines.findIndex((line) => line.includes('trigger')) + 1; at < lines.length; at++)
    for (const [what, changed] of Object.entries({
      typed: [...lines.slice(0, at), `${lines[at]} §`, ...lines.slice(at + 1)],
      unfinished: [...lines.slice(0, at), `${/^ */.exec(lines[at] ?? '')?.[0] || '    '}set x to`, ...lines.slice(at)],
      deleted: [...lines.slice(0, at), ...lines.slice(at + 1)],
    })) {
      const now = changed.join('\n');
      const complete = checked(now);
      // Names, and whether everything is there, are the business of the check.
      const ofForm = complete.diagnostics.filter(({ code }) => /^WF0(?:0|1|4|5)/.test(code));
      const first = shown({ diagnostics: firstLook(before, now) });
      for (const one of shown({ diagnostics: ofForm })) {
        found++;
        assert.ok(first.includes(one), `${one} after line ${at} was ${what}: ${first.join(', ')}`);
      }
      for (const one of first)
        assert.ok(
          shown(complete).includes(one) || before.diagnostics.some(({ code }) => one.startsWith(code)),
          `${one} is wrong after line ${at} was ${what}`,
        );
    }
  assert.ok(found > 40, String(found));
});

test('what was found in other lines stays with them', () => {
  const before = checked(text);
  assert.deepEqual(
    before.diagnostics.map(({ code }) => code),
    ['WF020', 'WF020'],
  );
  const now = text.replace('        log "many"\n', '        log "many"\n        log "very many"\n');
  assert.deepEqual(shown({ diagnostics: firstLook(before, now) }), shown(checked(now)));
  const mended = now.replace('{above}', '');
  assert.deepEqual(shown({ diagnostics: firstLook(before, mended) }), shown(checked(mended)));
});
