// The texts of a stored run. One that can't be opened, or is not what wf has written, makes this one run unreadable, and never a list.
import type { RunRow } from '../../model/run-rows.js';

type RowTexts = Pick<RunRow, 'waits' | 'request' | 'outcome' | 'extra' | 'isDamaged'>;

/** Those of a run that can't be read. */
export const damagedTexts: RowTexts = { waits: null, request: '{}', outcome: null, extra: null, isDamaged: true };

/** @param open the text of a value, as it was before it was sealed */
export function textsOfRow<T>(
  { waits, request, outcome, extra }: Readonly<Partial<Record<'waits' | 'request' | 'outcome' | 'extra', T | null>>>,
  open: (value: T) => string,
): RowTexts {
  try {
    const texts = [waits, request, outcome].map((value) => (value === null || value === undefined ? null : open(value)));
    const [waiting = null, requested = null, ended = null] = texts;
    const others = extra === null || extra === undefined ? null : String(extra);
    for (const text of [...texts, others]) if (text !== null && !isRecordText(text)) return damagedTexts;
    return { waits: waiting, request: requested ?? '{}', outcome: ended, extra: others };
  } catch {
    return damagedTexts;
  }
}

/** Whether a text is a record as JSON. @throws if it is no JSON */
function isRecordText(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
