// What one line is by itself, before the lines are put together to blocks: a whole statement, or the head of one.
import type { Span } from '../diagnostics/diagnostic.js';
import type {
  Ask,
  Call,
  Duration,
  Expression,
  Name,
  NumberLiteral,
  Pair,
  Retry,
  Saved,
  Service,
  Statement,
  Text,
} from './tree.js';

/** A statement without a block is complete on its line. */
export type SimpleStatement = Extract<
  Statement,
  { kind: 'set' | 'add' | 'log' | 'skip' | 'stop' | 'wait' | 'complete' | 'reject' }
>;

/** The statements that other lines belong to. */
export type StatementHead =
  | { readonly kind: 'trigger'; readonly text: string }
  | { readonly kind: 'step'; readonly name: Name }
  | { readonly kind: 'if'; readonly condition: Expression }
  | { readonly kind: 'otherwise if'; readonly condition: Expression }
  | { readonly kind: 'otherwise' }
  | { readonly kind: 'for each'; readonly item: Name; readonly list: Expression }
  | { readonly kind: 'ask'; readonly service: Name; readonly instruction: Text; readonly pairs: readonly Pair[] }
  | {
      readonly kind: 'call';
      readonly phrase: readonly string[];
      readonly service: Name;
      readonly at: Text | undefined;
      readonly pairs: readonly Pair[];
    };

export type StatementLine = SimpleStatement | StatementHead;

export type CallOptionLine =
  | { readonly kind: 'save'; readonly what: Saved; readonly name: Name; readonly span: Span }
  | { readonly kind: 'on failure' };

export type FailureLine = ({ readonly kind: 'retry' } & Retry) | { readonly kind: 'still failing' };

export type SectionName = 'config' | 'services' | 'workflow';

export type ConfigLine =
  | { readonly kind: 'name' | 'description'; readonly value: Text }
  | { readonly kind: 'version'; readonly value: NumberLiteral }
  | { readonly kind: 'timeout'; readonly value: Duration }
  | { readonly kind: 'unknown'; readonly key: Name };

export type ServiceLine = { readonly kind: Service['kind']; readonly name: Name; readonly target: Text };

export type ServiceOptionLine = { readonly kind: 'headers' } | { readonly kind: 'timeout'; readonly value: Duration };

export type HeaderLine = { readonly name: Name; readonly value: Text };

/** The rules of the grammar that read a line, and what each gives. */
export interface LineRules {
  sectionLine: SectionName;
  configLine: ConfigLine;
  serviceLine: ServiceLine;
  serviceOptionLine: ServiceOptionLine;
  headerLine: HeaderLine;
  statementLine: StatementLine;
  callOptionLine: CallOptionLine;
  failureLine: FailureLine;
}

export type CallHead = Extract<StatementHead, { kind: 'ask' | 'call' }>;
export type CallStatement = Ask | Call;
