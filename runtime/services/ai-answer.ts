// Reads the result and the confidence that an AI has answered with.
import type { Steps } from '../in-turns.js';
import type { Value } from '../types.js';
import { parseJson } from '../values/json.js';
import { longJson, parseLongJson } from '../values/long-json.js';

interface AiAnswer {
  readonly result: Value;
  /** 0 to 1. */
  readonly confidence: number;
}

/** The confidence of an answer that doesn't give one. */
const unknownConfidence = 0.5;

/** The reasoning that models write before they answer. It may contain drafts of the answer. */
const thoughts = /^\s*<think>[\s\S]*?<\/think>\s*/;

/** Places to try as the start of a JSON object. More of them mean prose with braces. */
const mostStarts = 50;

/**
 * Reads `{result, confidence}` from a model's text, even inside a code fence or other text. Anything else becomes the result as
 * it is, with a confidence of 0.5.
 */
export function* readAiAnswer(said: string): Steps<AiAnswer> {
  const text = said.replace(thoughts, '');
  for (const candidate of candidates(text.trim())) {
    const parsed = candidate.length > longJson ? yield* parseLongJson(Buffer.from(candidate)) : parseJson(candidate);
    if (parsed?.ok !== true || typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) continue;
    if (Object.hasOwn(parsed.value, 'result')) {
      return { result: parsed.value.result, confidence: confidenceOf(parsed.value.confidence) };
    }
  }
  return { result: text, confidence: unknownConfidence };
}

/** Characters to search for an object in total: an answer of several megabytes must not take seconds. */
const mostSearched = 1_000_000;

/** Parts of the text that may be the JSON: all of it, then each object in it. */
function* candidates(text: string): Generator<string> {
  if (text.startsWith('{')) yield text;
  let left = mostSearched;
  let start = text.indexOf('{');
  for (let tried = 0; start >= 0 && tried < mostStarts && left > 0; tried++) {
    const end = endOfObject(text, start, start + left);
    left -= (end ?? Math.min(text.length, start + left)) - start;
    if (end !== undefined) yield text.slice(start, end);
    start = text.indexOf('{', start + 1);
  }
}

/** The offset after the brace that closes the one at `start`, if it comes before `most`. Ignores braces inside quotes. */
function endOfObject(text: string, start: number, most: number): number | undefined {
  let depth = 0;
  let quoted = false;
  const last = Math.min(text.length, most);
  for (let index = start; index < last; index++) {
    const character = text[index];
    if (quoted && character === '\\') index++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth++;
    else if (!quoted && character === '}' && --depth === 0) return index + 1;
  }
  return undefined;
}

function confidenceOf(value: Value): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.min(1, Math.max(0, number)) : unknownConfidence;
}
