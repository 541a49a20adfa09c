// The exceptions that end a run, and the codes of the language's run-time errors. The whole runtime imports this file, so it must
// import next to nothing.
import type { SourceLocation } from '../values/value-types.js';

/**
 * Run-time errors of the language: stable code → title in the docs. `callErrors` has those of service calls (WF650–WF689) and of
 * the run as a whole (WF690–WF699).
 */
export const runtimeErrors = {
  WF601: 'Arithmetic on a value that is not a number',
  WF602: 'plus on incompatible values',
  WF603: 'Division by zero',
  WF604: 'Result too large',
  WF605: 'Invalid number of places',
  WF606: 'Values that have no order',
  WF607: 'contains on an unsuitable value',
  WF608: 'starts with or ends with on a value that is not text',
  WF609: 'is one of without a list',
  WF610: 'Loop over a value that is not a list',
  WF611: 'add to a value that is not a list',
  WF612: 'Reading a field of a value without fields',
  WF613: 'Setting a field of a value without fields',
  WF614: 'count of a value that is neither a list nor text',
  WF615: 'sum of a value that is not a list of numbers',
  WF616: 'first of or last of a value that is not a list',
  WF617: 'Value that is not text',
  WF618: 'Text that is not a number',
  WF619: 'Value nested too deeply',
  WF620: 'Value too large',
  WF634: 'Message with an empty field',
  WF635: 'No message in time',
  WF636: 'Wait until a value that is not a date',
  WF621: 'Unreadable value from outside',
  WF649: 'Text that says no as a condition',
  WF622: 'Value that is not a date',
  WF623: 'Date without a clock time',
  WF624: 'Invalid amount of time',
  WF625: 'Date outside the calendar',
  WF626: 'Date written differently',
  WF627: 'Number written differently',
  WF628: 'Items that cannot be compared',
  WF629: 'Value that is not a list',
  WF637: 'Value that is not a record',
  WF638: 'Invalid count',
  WF639: 'Text operation that cannot be done',
  WF640: 'Invalid pattern or sample',
  WF645: 'Question without an addressee',
  WF646: 'Value that a table cannot compare',
  WF647: 'No row of a table fits',
  WF648: 'Question without choices',
  WF641: 'Value that cannot name a field',
  WF642: 'Request that does not fit the inputs',
} as const;

type Place = SourceLocation | readonly [line: number];

/** Ends a run as `error`. The workflow or its data caused it, never a bug in wf. */
export class WfError extends Error {
  override readonly name = 'WfError';
  /** Stable, `WF6xx`. */
  readonly code: string;
  /** Where it happened, if the code that throws it knows. */
  readonly location: Place | undefined;
  /** The message without data, for the sender of the request: the data may belong to someone else. */
  readonly publicMessage: string;

  /** @param message may contain parts made by `privatePart` */
  constructor(code: string, message: string, location?: Place, publicMessage = withoutPrivateParts(message)) {
    super(withPrivateParts(message));
    this.code = code;
    this.location = location;
    this.publicMessage = publicMessage;
  }
}

/** What was thrown, at this place if it does not know its own: what makes text of a value does not know what for. */
export const locatedAt = (thrown: unknown, place: Place): unknown =>
  thrown instanceof WfError && thrown.location === undefined
    ? new WfError(thrown.code, thrown.message, place, thrown.publicMessage)
    : thrown;

/** What this returns. @throws what it throws, with the line */
export function atLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw locatedAt(error, [line]);
  }
}

/** The run was cancelled or exceeded its time limit; the message says which. A workflow cannot handle it. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** The rejection of a wait whose own time limit is over, as opposed to the run's. */
export class TimeOver extends Error {}

/** For a wait that may time out without failing. @throws everything else */
export function ignoreTimeOver(error: unknown): void {
  if (!(error instanceof TimeOver)) throw error;
}

/** Characters that Unicode reserves for internal use. Text from outside must not contain them. */
const open = '\ufdd0';
const close = '\ufdd1';

/** For messages of a `WfError`: shown at the terminal and in logs, removed from messages that leave this machine. */
export const privatePart = (text: string): string => `${open}${text.replace(/[\ufdd0\ufdd1]/g, '\ufffd')}${close}`;

export const withPrivateParts = (message: string): string => message.replace(/[\ufdd0\ufdd1]/g, '');

const withoutPrivateParts = (message: string): string => withPrivateParts(message.replace(/\ufdd0[^\ufdd0\ufdd1]*\ufdd1/g, ''));
