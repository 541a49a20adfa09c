// `--record <file>`: records the calls of a real run for `--mocks`. Checks the path before anything runs. If the file can't be
// written in the end, that only costs a line of output and never changes the outcome.
import path from 'node:path';
import { exactKey, looksLikeForm } from '../../../runtime/services/given-mocks.js';
import type { Redactor, ServiceExchange, Value, WfRecord } from '../../../runtime/types.js';
import { jsonSize, mostText } from '../../../runtime/values/json.js';
import { setOwn } from '../../../runtime/values/record.js';
import { equal } from '../../../runtime/values/values.js';
import { fileFault } from '../files/file-fault.js';
import { makeFolder } from '../files/make-folder.js';
import { probeWhole, writeWhole } from '../files/write-whole.js';
import { UsageError } from '../usage-error.js';
import type { SavedLog } from './log-file.js';
import type { RunRecord } from './run-record.js';

export interface Recording {
  /** Pass this to the run. */
  readonly onExchange: (exchange: ServiceExchange) => void;
  /** Writes the file, whole or not at all, without the secrets of the run. Never rejects. */
  save(record: RunRecord): Promise<SavedLog>;
}

/** Creates the folder of the file. @throws UsageError if the file can't be written, before anything runs */
export async function prepareRecording(given: string, cwd: string): Promise<Recording> {
  if (given === '') throw new UsageError('--record needs a path.');
  if (given.includes('\0')) throw new UsageError('The path in --record contains a NUL character.');
  const file = path.resolve(cwd, given);
  try {
    makeFolder(path.dirname(file));
    await probeWhole(file);
  } catch (error) {
    throw new UsageError(
      `The recording can't be written to ${given}: ${fileFault(error)}.`,
      'Nothing ran. Set --record to a path that you can write to.',
    );
  }
  const recorder = recordMocks();
  return {
    onExchange: recorder.onExchange,
    async save({ redactor, outcome }) {
      try {
        await writeWhole(file, `${JSON.stringify(recorder.recorded(redactor), null, 2)}\n`);
        if (!recorder.isFull()) return { file };
        return { problem: `The recording in ${given} is not complete: the answers have more than 64 MB.` };
      } catch (error) {
        const reason = error instanceof RangeError ? 'it is too large for one file' : fileFault(error);
        return {
          problem: `The recording could not be written to ${given}: ${reason}. The run ended as ${outcome.status}.`,
        };
      }
    },
  };
}

interface MockRecorder {
  /** Pass this to the run. */
  readonly onExchange: (exchange: Pick<ServiceExchange, 'call' | 'result'>) => void;
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
