// State shared by the rules of the check: services, scope, diagnostics, facts for later phases, and the way into nested nodes.
import { languages } from '../../../runtime/dates/date-words.js';
import type { InputField } from '../../../runtime/inputs/input-types.js';
import type { OwnAnswerInfo } from '../../../runtime/types.js';
import type { DecisionTable } from '../2-parse/declaration-tree.js';
import type {
  Block,
  BrokenService,
  Duration,
  Expression,
  Iteration,
  Loop,
  Name,
  Pair,
  Reference,
  Service,
  Statement,
  Workflow,
} from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { createClosest } from '../diagnostics/suggest.js';
import { type Kind, unknownKind } from './kinds/kind.js';
import { kindOf } from './kinds/kind-of.js';
import { reserved, Scope } from './scope.js';

/** A called workflow that has been checked before its callers. */
export interface CheckedCallee {
  /** Position among all called workflows. */
  readonly index: number;
  readonly checked: { readonly workflow: Workflow; readonly facts: Facts; readonly hasErrors: boolean };
}

/** Facts that the check learns about a workflow, apart from its errors. */
export interface Facts {
  /** References to variables that are set on every path to them. */
  readonly definite: ReadonlySet<Reference>;
  /** Environment variables that the file names. */
  readonly env: ReadonlySet<string>;
  /** Whether it reads `received`. */
  readonly readsReceived: boolean;
  /** Paths of the request that are read, without `request.`. */
  readonly requestFields: ReadonlySet<string>;
  readonly outputKeys: ReadonlySet<string>;
  /** The answers of `complete` over HTTP besides the outputs, in the order of the file. */
  readonly ownAnswers: readonly OwnAnswerInfo[];
  /** The declared fields of the request; `undefined` if the file declares none. */
  readonly inputs: readonly InputField[] | undefined;
  /** For each loop, the variables that are set on every path to it and set again inside it. */
  readonly carried: ReadonlyMap<Loop, readonly string[]>;
  /** Comparisons of order with a side that is certainly a date or time. */
  readonly dated: ReadonlySet<Expression>;
  readonly services: ReadonlyMap<string, Service>;
  /** The called workflows by the names of their services, as far as they could be read. */
  readonly called: ReadonlyMap<string, CheckedCallee>;
  readonly tables: ReadonlyMap<string, DecisionTable>;
}

/** Parts of a table that were not checked. */
interface UnfinishedCheck {
  /** The rows that were compared with those above them, if not all. */
  readonly comparedRows?: number;
  /** Whether combinations of values were left out in the search for one that no row matches. */
  readonly hasUntried?: boolean;
}

/** The rules for nested nodes. They are given, because those in turn import the checker. */
interface NodeRules {
  readonly block: (checker: Checker, block: Block) => void;
  readonly expression: (checker: Checker, expression: Expression) => void;
}

const kindErrors: ReadonlySet<string> = new Set(['WF067', 'WF068']);

export class Checker {
  readonly #rules: NodeRules;
  readonly text: string;
  readonly diagnostics: Diagnostic[];
  /** Number of errors that the check has reported so far. */
  errors = 0;
  readonly scope = new Scope();
  readonly services: ReadonlyMap<string, Service | BrokenService>;
  /** The called workflows by the names of their services. */
  readonly called: ReadonlyMap<string, CheckedCallee>;
  /** The time limit of the whole run. */
  readonly timeout: Duration | undefined;
  readonly hasWorkingHours: boolean;
  /** Of the names of months and weekdays. */
  readonly language: string | undefined;
  /** The tables by name; `undefined` for one that could not be read. */
  readonly tables = new Map<string, DecisionTable | undefined>();
  /** Tables with mistakes, whose other problems would only repeat these. */
  readonly faultyTables = new Set<string>();
  /** Tables with cells that don't go with their heading, which may therefore have another name than was meant. */
  readonly misheadedTables = new Set<string>();
  /** Tables that are too large to check completely. */
  readonly unfinishedTables = new Map<string, UnfinishedCheck>();
  /** The results of each table that are looked up. */
  readonly lookedUp = new Map<string, Set<string>>();
  readonly usedServices = new Set<string>();
  /** Kinds of statements that name an undeclared service, which could be any service. */
  readonly usesAny = new Set<'call' | 'ask'>();
  readonly steps = new Map<string, number>();
  readonly closest = createClosest();
  readonly facts = {
    definite: new Set<Reference>(),
    env: new Set<string>(),
    readsReceived: false,
    requestFields: new Set<string>(),
    outputKeys: new Set<string>(),
    ownAnswers: [] as OwnAnswerInfo[],
    carried: new Map<Loop, readonly string[]>(),
    dated: new Set<Expression>(),
  };
  /** Words of calls whose result is not saved, each with the line of its call. */
  readonly unsavedResults = new Map<string, number>();
  /** Variables that `add` puts items into. */
  readonly grown = new Set<string>();
  /** References that stand for this field of each item, as in `sum of rows.amount`. */
  readonly ofEachItem = new Set<Expression>();
  /** The name for each item of the list being checked, which does not exist in it. */
  itemOfList: string | undefined;
  /** The innermost `… for each … in …` around the expression being checked. */
  mapping: Iteration | undefined;
  /** Statements already reported for a record that keeps fields from an earlier round. An outer loop finds them, too. */
  readonly keptFields = new Set<Statement>();
  /** Places in lines that a message has explained as a whole, so that warnings about their parts are left out. */
  readonly misread: number[] = [];
  /** Names already reported on the current line. One message each is enough. */
  readonly reported = new Set<string>();
  /** Names that no line sets. The first line that reads one is reported: most likely, one misspelt or forgotten line is behind all. */
  readonly unknownNames = new Set<string>();
  /** Where lines start that an earlier phase has reported. */
  readonly #faultyLines: ReadonlySet<number>;

  constructor(
    text: string,
    workflow: Workflow,
    diagnostics: Diagnostic[],
    rules: NodeRules,
    called: ReadonlyMap<string, CheckedCallee> = new Map(),
  ) {
    this.#rules = rules;
    this.called = called;
    const language = workflow.config?.language?.parts.join('');
    this.language = languages.find((known) => known === language);
    this.text = text;
    this.diagnostics = diagnostics;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    this.scope.followsKinds = errors.length === 0;
    const faultyLines = new Set(errors.map(({ span }) => this.#lineStart(span.start)));
    // All cells of a table in a file are reported on the line that names the file.
    for (const table of workflow.tables)
      if (table.kind === 'table' && table.file !== undefined) faultyLines.delete(this.#lineStart(table.span.start));
    this.#faultyLines = faultyLines;
    this.timeout = workflow.config?.timeout;
    // A setting with a mistake counts as there.
    this.hasWorkingHours = workflow.config?.workingHours !== undefined || /^ {4}[a-z]+.hours\b/m.test(text.slice(0, 4_000));
    const services = new Map<string, Service | BrokenService>();
    for (const service of workflow.services) if (!services.has(service.name.text)) services.set(service.name.text, service);
    this.services = services;
  }

  /** Drops an error on a line that an earlier phase has reported, because one mistake most likely caused both. */
  readonly report = (diagnostic: Diagnostic): void => {
    const { severity, span } = diagnostic;
    if (severity === 'error' && this.#faultyLines.size > 0 && this.#faultyLines.has(this.#lineStart(span.start))) return;
    this.diagnostics.push(diagnostic);
    if (severity === 'error') this.errors++;
  };

  /**
   * Drops what another message has explained: errors about kinds beside an unknown name, which may be a misspelt word of the language, and
   * lost changes of items whose field is missing later. Call it last.
   */
  dropExplained(): void {
    const found = (wanted: string): Diagnostic[] => this.diagnostics.filter(({ code }) => code === wanted);
    const lines = new Set(found('WF020').map(({ span }) => this.#lineStart(span.start)));
    const isFieldMissing = found('WF097').length > 0;
    if (lines.size === 0 && !isFieldMissing) return;
    const misread = new Set(this.misread.map((offset) => this.#lineStart(offset)));
    const isExplained = ({ code, severity, span }: Diagnostic): boolean =>
      (kindErrors.has(code) && lines.has(this.#lineStart(span.start))) ||
      (severity === 'warning' && misread.size > 0 && misread.has(this.#lineStart(span.start)));
    const kept = this.diagnostics.filter((one) => !isExplained(one) && !(one.code === 'WF126' && isFieldMissing));
    this.diagnostics.splice(0, this.diagnostics.length, ...kept);
  }

  #lineStart(offset: number): number {
    return offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Checks the statements of a block in execution order. */
  block(block: Block): void {
    this.#rules.block(this, block);
  }

  /** Checks an expression and its parts. Returns the kind of its value, as far as it is certain here. */
  expression(expression: Expression): Kind {
    this.#rules.expression(this, expression);
    return this.kindOf(expression);
  }

  /** Checks the list of a loop. @param item the name for each item */
  listOf(item: string, list: Expression): Kind {
    const outer = this.itemOfList;
    this.itemOfList = item;
    const kind = this.expression(list);
    this.itemOfList = outer;
    return kind;
  }

  kindOf(expression: Expression): Kind {
    return kindOf(expression, this.scope.kindOf);
  }
}

/** Marks a variable as set, and rejects the names that wf reserves. */
export function setVariable(checker: Checker, name: Name, kind: Kind = unknownKind): void {
  if (reserved.has(name.text)) checker.report(catalogue.cannotSet(name.span, name.text));
  else checker.scope.set(name.text, kind);
}

/** Digits after the point in a group of three, with a zero at the end or all nines: most likely thousands, as some languages write them. */
const LIKE_THOUSANDS = /^-?(?:\d+\.\d\d0|9{1,3}\.999)$/;

/** Warns about a number such as `10.000`, which is 10. */
export function checkThousands({ report }: Pick<Checker, 'report'>, written: string, span: Span): void {
  if (LIKE_THOUSANDS.test(written)) report(catalogue.notThousands(span, written));
}

/** `"*@*.com"`, `"info@*"`: meant as an address. */
const LIKE_ADDRESS = /[a-z*]@[a-z*]/;

/** Warns about a pattern in which the letter `@` is meant as the sign. */
export function checkPattern({ report }: Pick<Checker, 'report'>, pattern: string, span: Span): void {
  if (LIKE_ADDRESS.test(pattern)) report(catalogue.letterForSign(span));
}

/** Checks the pairs of a call or of `complete with`: their values, and that no key occurs twice. */
export function checkPairs(checker: Checker, pairs: readonly Pair[]): void {
  const keys = new Set<string>();
  for (const { key, value } of pairs) {
    if (keys.has(key.text)) checker.report(catalogue.keyTwice(key.span, key.text));
    keys.add(key.text);
    checker.expression(value);
  }
}
