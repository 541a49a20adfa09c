// Names kinds of services in messages, and reports the parts of calls that most of them don't accept.
import type { Ask, Call, Pair, Service } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { Checker } from './checker.js';

export const kindNames: Readonly<Record<Service['kind'], string>> = {
  api: 'an API',
  webhook: 'a webhook',
  ai: 'an AI',
  plugin: 'a plugin',
  database: 'a database',
  mail: 'a mail server',
  folder: 'a folder',
  workflow: 'a workflow',
  person: 'a person',
};

/** From the first pair to the end of the last. */
export function spanOfPairs(pairs: readonly Pair[]): Span | undefined {
  const [first] = pairs;
  const last = pairs[pairs.length - 1];
  return first === undefined || last === undefined ? undefined : { start: first.key.span.start, end: last.value.span.end };
}

/** `running` and `where` are for databases. */
export function refuseSqlParts(checker: Checker, { running, where }: Call, { name, kind }: Service): void {
  if (running !== undefined) checker.report(catalogue.partNotForKind(running.span, 'running', name.text, kindNames[kind]));
  const span = spanOfPairs(where);
  if (span !== undefined) checker.report(catalogue.partNotForKind(span, 'where', name.text, kindNames[kind]));
}

/** `with headers:`, `send … as the body` and `sent as` are for APIs and webhooks. */
export function refuseSending(
  checker: Checker,
  { headersSpan, body, sentAs }: Call | Ask,
  { kind }: Pick<Service, 'kind'>,
): void {
  const refuse = (span: Span | undefined, line: string): void => {
    if (span !== undefined) checker.report(catalogue.notOverHttp(span, line, kindNames[kind]));
  };
  refuse(headersSpan, 'with headers');
  refuse(body?.span, 'send … as the body');
  refuse(sentAs?.span, 'sent as');
}
