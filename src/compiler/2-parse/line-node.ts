// The node of a single line before lines are assembled into blocks: a whole statement, or the head of one.
import type { CellTest, CellValue, HeadingTest } from '../../../runtime/tables/table-types.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { sectionTable } from '../vocabulary/line-table.js';
import type { InputLine } from './declaration-tree.js';
import type {
  AmountOfTime,
  CallHeader,
  Duration,
  Expression,
  Limit,
  Name,
  NumberLiteral,
  Once,
  Pair,
  Retry,
  Saved,
  Service,
  SignInOption,
  Statement,
  Text,
} from './tree.js';

/** Statements that are complete on one line. */
type SimpleStatement = Extract<Statement, { kind: 'set' | 'add' | 'log' | 'skip' | 'stop' | 'wait' | 'wait until' | 'reject' }>;

/** The first lines of statements that other lines belong to. */
type StatementHead =
  | { readonly kind: 'trigger'; readonly text: string }
  | { readonly kind: 'complete'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'step'; readonly name: Name }
  | { readonly kind: 'at the same time'; readonly until: Expression | undefined }
  | { readonly kind: 'if'; readonly condition: Expression }
  | { readonly kind: 'otherwise if'; readonly condition: Expression }
  | { readonly kind: 'otherwise' }
  | {
      readonly kind: 'for each';
      readonly item: Name;
      readonly list: Expression;
      readonly atATime: NumberLiteral | 'all' | undefined;
      readonly until: Expression | undefined;
    }
  | {
      readonly kind: 'wait for';
      readonly message: Name;
      readonly pairs: readonly Pair[];
      readonly atMost: AmountOfTime | undefined;
    }
  | {
      readonly kind: 'look up';
      readonly results: readonly Name[];
      readonly table: Name;
      readonly pairs: readonly Pair[];
    }
  | { readonly kind: 'for each field'; readonly name: Name; readonly value: Name; readonly record: Expression }
  | { readonly kind: 'repeat'; readonly until: Expression | undefined; readonly most: Expression }
  | { readonly kind: 'ask'; readonly service: Name; readonly instruction: Text; readonly pairs: readonly Pair[] }
  | {
      readonly kind: 'call';
      readonly phrase: readonly string[];
      readonly service: Name;
      readonly at: Text | undefined;
      readonly running: Text | undefined;
      readonly pairs: readonly Pair[];
      readonly where: readonly Pair[];
    };

export type StatementLine = SimpleStatement | StatementHead;

export type CallOptionLine =
  | { readonly kind: 'save'; readonly what: Saved; readonly name: Name; readonly span: Span }
  | { readonly kind: 'headers' }
  | { readonly kind: 'body'; readonly value: Expression; readonly span: Span }
  | { readonly kind: 'sent as'; readonly method: Name }
  | { readonly kind: 'at most once' }
  | { readonly kind: 'addressed'; readonly value: Expression; readonly span: Span }
  | { readonly kind: 'choices'; readonly items: readonly Expression[]; readonly span: Span }
  | { readonly kind: 'within' | 'remind' | 'timeout'; readonly duration: AmountOfTime }
  | { readonly kind: 'on failure' | 'on success' };

export type MessageOptionLine =
  | { readonly kind: 'save'; readonly name: Name; readonly span: Span }
  | { readonly kind: 'silence' | 'success' };

export type AnswerLine =
  | { readonly kind: 'status'; readonly word: string; readonly value: NumberLiteral }
  | { readonly kind: 'text'; readonly value: Expression };

export type LookUpOptionLine = { readonly kind: 'nothing' };

export type TableLine =
  | { readonly kind: 'file'; readonly name: Name; readonly at: Text }
  | { readonly kind: 'rows'; readonly name: Name };

export type HeadingLine = { readonly name: string; readonly test: HeadingTest | undefined };

/** A cell without its position. */
export type CellLine =
  | { readonly is: 'test'; readonly test: CellTest }
  | { readonly is: 'limits'; readonly low: CellValue; readonly high: CellValue }
  | { readonly is: 'unread' };

export type FailureLine = ({ readonly kind: 'retry' } & Retry) | { readonly kind: 'still failing' };

export type SectionName = keyof typeof sectionTable;

export type ConfigLine =
  | {
      readonly kind: 'name' | 'description' | 'timezone' | 'schedule' | 'working hours' | 'language' | 'signature' | 'secret';
      readonly value: Text;
    }
  | { readonly kind: 'answer'; readonly value: 'accepted' }
  | { readonly kind: 'status'; readonly value: NumberLiteral }
  | { readonly kind: 'runs'; readonly value: NumberLiteral }
  | { readonly kind: 'holidays'; readonly value: readonly Expression[] }
  | { readonly kind: 'find by'; readonly value: readonly Expression[] }
  | { readonly kind: 'version'; readonly value: NumberLiteral }
  | { readonly kind: 'timeout'; readonly value: Duration }
  | { readonly kind: 'keep for'; readonly value: Duration }
  | { readonly kind: 'once for each'; readonly value: Once }
  | { readonly kind: 'unknown'; readonly key: Name };

export type ServiceLine = {
  readonly kind: Service['kind'];
  readonly name: Name;
  readonly target: Text;
  readonly notifiedBy?: Name;
};

export type ServiceOptionLine =
  | { readonly kind: 'headers' }
  | { readonly kind: 'timeout'; readonly value: AmountOfTime }
  | ({ readonly kind: 'limit' } & Limit)
  | { readonly kind: 'certificate'; readonly certificate: Text; readonly key: Text; readonly span: Span }
  | ({ readonly kind: 'sign in' } & SignInOption)
  | { readonly kind: 'from'; readonly value: Text };

export type HeaderLine = { readonly name: Name; readonly value: Text };

/** The grammar rules that parse a line, and their results. */
export interface LineRules {
  sectionLine: SectionName;
  configLine: ConfigLine;
  inputLine: InputLine;
  serviceLine: ServiceLine;
  serviceOptionLine: ServiceOptionLine;
  headerLine: HeaderLine;
  callHeaderLine: CallHeader;
  statementLine: StatementLine;
  callOptionLine: CallOptionLine;
  messageOptionLine: MessageOptionLine;
  lookUpOptionLine: LookUpOptionLine;
  answerLine: AnswerLine;
  tableLine: TableLine;
  headingLine: HeadingLine;
  cellLine: CellLine;
  failureLine: FailureLine;
}
