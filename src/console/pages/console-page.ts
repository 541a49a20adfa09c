// What a page is, for the router that asks for it: a title, content, and what it has to do with the rest of the console.

import type { DurableEngine } from '../../durable/durable-engine.js';
import type { TextView } from '../code/text-view.js';
import type { ConsoleExchange, ConsoleOptions, ConsoleReply, ServedWorkflow } from '../console-options.js';
import type { LoadHistory } from '../history/load-history.js';
import type { Html } from '../html/html.js';
import type { ConsoleRequest } from '../http/console-request.js';

export interface ConsolePage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly at: 'runs' | 'tasks' | 'workflows';
  /** What keeps it up to date: `runs`, `tasks`, or the id of a run. */
  readonly live?: string;
}

/** A part of a page, for one that is open. */
export interface PagePart {
  readonly part: Html;
}

/** Where the browser is to go after a change. */
export interface GoTo {
  readonly goTo: string;
}

export type PageResult = ConsolePage | PagePart | GoTo | ConsoleReply;

/** What the pages share. */
export interface PageContext {
  readonly store: DurableEngine;
  /** `store.stats`, counted now and then only. */
  readonly stats: DurableEngine['stats'];
  readonly workflows: () => readonly ServedWorkflow[];
  readonly history: LoadHistory;
  readonly textOf: (text: string) => TextView;
  readonly tryOut: ConsoleOptions<ConsoleExchange>['tryOut'];
}

/** `undefined`: there is nothing at this address. */
export type PageHandler = (request: ConsoleRequest, context: PageContext) => Promise<PageResult | undefined>;
