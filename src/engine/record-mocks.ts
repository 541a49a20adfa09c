// The calls of a run → a file of mock answers that replays them: `--record`. Its own file, because what is written here is what
// `mocksFromJson` reads, and nothing else of a recording matters.
import { setOwn } from '../../runtime/record.js';
import { exactKey, looksLikeForm } from '../../runtime/services/given-mocks.js';
import type { Exchange, Redactor, Value, WfRecord } from '../../runtime/types.js';
import { equal } from '../../runtime/values.js';

export interface MockRecorder {
  /** To be given to a run as it is. */
  readonly onExchange: (exchange: Exchange) => void;
  /**
   * The form that `mocksFromJson` reads: by service and call, answers that differ from time to time as `inTurn`. Secrets are redacted,
   * also in paths: such a call is not found again, and gets the standard answer.
   */
  recorded(redactor: Redactor): WfRecord;
}

/** Collects the exchanges of one or more runs. Response headers are kept where the workflow saves them: most of them say when, not what. */
export function recordMocks(): MockRecorder {
  const services = new Map<string, Map<string, Value[]>>();
  return {
    onExchange({ call, result }) {
      const calls = services.get(call.service.name) ?? new Map<string, Value[]>();
      services.set(call.service.name, calls);
      const key = exactKey(call);
      const answers = calls.get(key) ?? [];
      calls.set(key, answers);
      answers.push(answerOf(result));
    },
    recorded(redactor) {
      const file: WfRecord = {};
      for (const [service, calls] of services) {
        const entries: WfRecord = {};
        for (const [key, answers] of calls) setOwn(entries, key, inTurn(answers));
        setOwn(file, service, entries);
      }
      // A record in, a record out.
      return redactor.value(file) as WfRecord;
    },
  };
}

/** The answer in the shortest form that cannot be taken for another one. */
function answerOf({ ok, status, headers, error, body, ...answer }: Exchange['result']): Value {
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

/** The last answer stays: repetitions at the end are left out. */
function inTurn(answers: readonly Value[]): Value {
  let end = answers.length;
  while (end > 1 && equal(answers[end - 1], answers[end - 2])) end--;
  return end === 1 ? (answers[0] ?? null) : { inTurn: answers.slice(0, end) };
}
