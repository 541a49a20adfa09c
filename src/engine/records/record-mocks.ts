// `--record`: turns the calls of a run into mock answers that replay them, in the format that `mocksFromJson` reads.

import { exactKey, looksLikeForm } from '../../../runtime/services/given-mocks.js';
import type { Redactor, ServiceExchange, Value, WfRecord } from '../../../runtime/types.js';
import { jsonSize, mostText } from '../../../runtime/values/json-size.js';
import { setOwn } from '../../../runtime/values/record.js';
import { equal } from '../../../runtime/values/values.js';

export interface MockRecorder {
  /** Pass this to the run. */
  readonly onExchange: (exchange: ServiceExchange) => void;
  /**
   * Mock answers by service and call; answers that differ between calls are listed as `inTurn`. Secrets are redacted, even in
   * paths. A call with a redacted path is not found again and gets the default answer.
   */
  recorded(redactor: Redactor): WfRecord;
  /** Whether there was more than one file should hold. If so, the rest was not recorded. */
  isFull(): boolean;
}

/**
 * Collects the exchanges of one or more runs. Keeps response headers only if the workflow saves them, because most say when
 * rather than what.
 */
export function recordMocks(): MockRecorder {
  const services = new Map<string, Map<string, Value[]>>();
  let left = mostText;
  return {
    isFull: () => left < 0,
    onExchange({ call, result }) {
      if (left < 0) return;
      const answer = answerOf(result);
      left -= jsonSize(answer, left);
      if (left < 0) return;
      const calls = services.get(call.service.name) ?? new Map<string, Value[]>();
      services.set(call.service.name, calls);
      const key = exactKey(call);
      const answers = calls.get(key) ?? [];
      calls.set(key, answers);
      answers.push(answer);
    },
    recorded(redactor) {
      const file: WfRecord = {};
      for (const [service, calls] of services) {
        const entries: WfRecord = {};
        for (const [key, answers] of calls) setOwn(entries, key, inTurn(answers));
        setOwn(file, service, entries);
      }
      // Maps a record to a record.
      return redactor.value(file) as WfRecord;
    },
  };
}

/** The answer in the shortest form that is unambiguous. */
function answerOf({ ok, status, headers, error, body, ...answer }: ServiceExchange['result']): Value {
  if (!ok) {
    if (status === undefined || (status >= 200 && status <= 299)) return { error: error ?? 'failed' };
    return body === undefined || body === '' ? { status } : { status, body };
  }
  const { confidence } = answer;
  const value: Value = confidence === undefined ? answer.value : { result: answer.value, confidence };
  if (headers !== undefined) return { status: status ?? 200, value, headers };
  if (status !== undefined && status !== 200) return { status, value };
  return looksLikeForm(value) ? { status: 200, value } : value;
}

/** Leaves out repetitions at the end, because the last answer stays. */
function inTurn(answers: readonly Value[]): Value {
  let end = answers.length;
  while (end > 1 && equal(answers[end - 1], answers[end - 2])) end--;
  return end === 1 ? (answers[0] ?? null) : { inTurn: answers.slice(0, end) };
}
