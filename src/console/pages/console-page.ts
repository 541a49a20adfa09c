// The result of a page's handler: title, content, and its place in the console.
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { TextView } from '../code/text-view.js';
import type { ConsoleExchange, ConsoleOptions, ConsoleReply, ServedWorkflow } from '../console-options.js';
import type { LoadHistory, LoadTrace } from '../history/read-cache.js';
import type { Html } from '../html/html.js';
import type { ConsoleRequest } from '../http/console-request.js';

export interface ConsolePage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly at: 'runs' | 'tasks' | 'workflows';
  /** The source of its updates: `runs`, `tasks`, or the id of a run. */
  readonly live?: string;
}

/** Part of a page that is already open. */
export interface PagePart {
  readonly part: Html;
}

/** Where to redirect the browser after a change. */
export interface GoTo {
  readonly goTo: string;
}

export type PageResult = ConsolePage | PagePart | GoTo | ConsoleReply;

/** Dependencies that the pages share. */
export interface PageContext {
  readonly store: DurableEngine;
  /** `store.stats`, cached for a moment. */
  readonly stats: DurableEngine['stats'];
  readonly trends: DurableEngine['trends'];
  readonly workflows: () => readonly ServedWorkflow[];
  readonly history: LoadHistory;
  readonly traceOf: LoadTrace;
  readonly textOf: (text: string) => TextView;
  /** The address for commands that reach the server. */
  readonly baseOf: ConsoleOptions<ConsoleExchange>['baseOf'];
  readonly tryOut: ConsoleOptions<ConsoleExchange>['tryOut'];
  readonly startRun: ConsoleOptions<ConsoleExchange>['startRun'];
}

/** `undefined`: there is no page at this address. */
export type PageHandler = (request: ConsoleRequest, context: PageContext) => Promise<PageResult | undefined>;
