// The text that a model wrote → result and confidence. Its own file, because models wrap JSON in many ways and none of them may end a run.
import { parseJson } from '../json.js';
import type { Value } from '../types.js';

export interface AiAnswer {
  readonly result: Value;
  /** 0 to 1. */
  readonly confidence: number;
}

/** What a model is taken to be worth that does not say how sure it is. */
const unknownConfidence = 0.5;

/** What models that think aloud say before they answer; drafts of the answer may stand in it. */
const thoughts = /^\s*<think>[\s\S]*?<\/think>\s*/;

/** Places where a JSON object may begin that are tried: more of them are prose with braces. */
const mostStarts = 50;

/**
 * Reads `{result, confidence}` from a model's text, also inside of a code fence or other text. Anything else is the result as it stands, with
 * a confidence of 0.5 (language.md 7).
 */
export function readAiAnswer(said: string): AiAnswer {
  const text = said.replace(thoughts, '');
  for (const candidate of candidates(text.trim())) {
    const parsed = parseJson(candidate);
    if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) continue;
    if (Object.hasOwn(parsed.value, 'result')) {
      return { result: parsed.value.result, confidence: confidenceOf(parsed.value.confidence) };
    }
  }
  return { result: text, confidence: unknownConfidence };
}

/** Stretches of the text that may be the JSON: all of it, then each object in it. */
function* candidates(text: string): Generator<string> {
  yield text;
  let start = text.indexOf('{');
  for (let tried = 0; start >= 0 && tried < mostStarts; tried++) {
    const end = endOfObject(text, start);
    if (end !== undefined) yield text.slice(start, end);
    start = text.indexOf('{', start + 1);
  }
}

/** Behind the brace that closes the one at `start`; braces inside of quotes do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index++) {
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
