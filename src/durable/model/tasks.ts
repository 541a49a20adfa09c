// Questions to people, and their answers.
import type { Value } from '../../../runtime/types.js';

export const taskStates = { open: 1, answered: 2, over: 3 } as const;

type TaskStateNumber = (typeof taskStates)[keyof typeof taskStates];

export interface NewTask {
  /** 32 hexadecimal digits. */
  readonly run: string;
  readonly place: string;
  readonly workflow: string;
  readonly body: TaskBody;
  /** Milliseconds since 1970. */
  readonly asked: number;
  readonly due: number | undefined;
}

/** The question, as shown. */
export interface TaskBody {
  readonly service: string;
  readonly question: string;
  /** The person asked, such as a mail address; absent if nobody is named. */
  readonly addressee?: string;
  readonly choices?: readonly string[];
  readonly pairs?: Value;
  /** The person who took it or was given it. Anyone who may answer still may. */
  readonly assignee?: string;
}

/** Characters of an answer, a comment or a name, on every way in. */
export const mostOfAnswer = 100_000;

/** Characters of the name of whoever has a task. */
export const mostOfAssignee = 200;

export interface StoredAnswer {
  readonly answer: string;
  readonly comment?: string;
  readonly by?: string;
}

export interface TaskRow {
  readonly id: string;
  readonly run: string;
  readonly workflow: string;
  readonly body: TaskBody;
  readonly asked: number;
  readonly due: number | undefined;
  readonly state: TaskStateNumber;
  readonly answered: number | undefined;
  readonly answer: StoredAnswer | undefined;
}

/** Whether a question is for this person. Case, spaces around, and a name before `<…>` don't matter. */
export const isAddressedTo = (addressee: string | undefined, person: string): boolean =>
  addressee !== undefined && mailAddressIn(addressee) === mailAddressIn(person);

const mailAddressIn = (text: string): string => (/<([^<>]+)>$/.exec(text.trim())?.[1] ?? text).trim().toLowerCase();

/** Whether a question is for this person: addressed to them, or taken by them. */
export const isFor = ({ addressee, assignee }: Pick<TaskBody, 'addressee' | 'assignee'>, person: string): boolean =>
  isAddressedTo(addressee, person) || isAddressedTo(assignee, person);

export interface NewAssignee {
  /** Absent to give it back. */
  readonly to?: string | undefined;
  /** Not if someone else has it, also since a moment ago. */
  readonly ifFree?: boolean;
}

export type TaskAssigned = 'assigned' | 'taken' | 'closed';

export type TaskAnswered = 'answered' | 'answered before' | 'over';
