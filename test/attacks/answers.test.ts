// Answers of several megabytes, built so that careless code reads them again and again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAiAnswer } from '../../runtime/services/ai.js';
import { parseJson } from '../../runtime/values/json.js';
import { processorTime } from '../processor-time.js';

const size = 9_000_000;

test('50. Reads megabytes from an AI only once', () => {
  const texts = [
    'prose {'.repeat(size / 7),
    `${'{"a":1} '.repeat(size / 8)}`,
    `{"result": "${'x'.repeat(size)}"`,
    `{${'"x":{'.repeat(size / 5)}`,
    `<think>${' '.repeat(size)}`,
    `${'`'.repeat(size)}{"result": 1}`,
    `[${'1,'.repeat(size / 2)}`,
  ];
  for (const text of texts) {
    const took = processorTime();
    assert.equal(readAiAnswer(text).confidence, 0.5);
    // A tenth of a second on an idle machine; it took seconds.
    assert.ok(took() < 1_500, `${text.slice(0, 20)}: ${Math.round(took())} ms`);
  }
  assert.deepEqual(readAiAnswer(`Here it is: ${'x'.repeat(1_000)} {"result": 7, "confidence": 1}`), { result: 7, confidence: 1 });
  assert.deepEqual(readAiAnswer(`{"result": "${'x'.repeat(size)}", "confidence": 1}`).confidence, 1);
});

test('50. Refuses megabytes of invalid JSON immediately, with a place if the engine knows one', () => {
  for (const [text, message] of [
    [`[${'1,'.repeat(size / 2)}x]`, /not valid JSON|ends too early/],
    [`[${'{"a":[1]},'.repeat(size / 10)}`, /not valid JSON|ends too early/],
    [`"${'x'.repeat(size)}`, /not valid JSON|ends too early/],
  ] as const) {
    const took = processorTime();
    const parsed = parseJson(text);
    assert.ok(!parsed.ok);
    assert.match(parsed.message, message);
    assert.ok(parsed.offset <= text.length && parsed.line === 1);
    assert.ok(took() < 1_500);
  }
});
