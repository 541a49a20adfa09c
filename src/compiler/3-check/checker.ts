// What the rules of the check share: the file, the list of diagnostics, the services, the scope, and the facts that later phases use.

import type { BrokenService, ForEach, Reference, Service, Workflow } from '../2-parse/tree.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { createClosest } from '../diagnostics/suggest.js';
import { Scope } from './scope.js';

/** What the check found out about a workflow beside its errors. */
export interface Facts {
  /** References to a variable that is set on every way to them. */
  readonly definite: ReadonlySet<Reference>;
  /** Environment variables that the file names. */
  readonly env: ReadonlySet<string>;
  /** Paths of the request that are read, without `request.`. */
  readonly requestFields: ReadonlySet<string>;
  readonly outputKeys: ReadonlySet<string>;
  /** For each loop, the variables that are set on every way to it and set again in its block. */
  readonly carried: ReadonlyMap<ForEach, readonly string[]>;
  readonly services: ReadonlyMap<string, Service>;
}

/** Names that are given by wf and cannot be set. */
export const reserved: ReadonlySet<string> = new Set(['request', 'env', 'now', 'today', 'empty', 'true', 'false']);

export class Checker {
  readonly text: string;
  readonly diagnostics: Diagnostic[];
  readonly scope = new Scope();
  readonly services: ReadonlyMap<string, Service | BrokenService>;
  readonly usedServices = new Set<string>();
  readonly steps = new Map<string, number>();
  readonly closest = createClosest();
  readonly facts = {
    definite: new Set<Reference>(),
    env: new Set<string>(),
    requestFields: new Set<string>(),
    outputKeys: new Set<string>(),
    carried: new Map<ForEach, readonly string[]>(),
  };
  /** Names that were reported on the line that is checked: one message each is enough. */
  readonly reported = new Set<string>();

  constructor(text: string, workflow: Workflow, diagnostics: Diagnostic[]) {
    this.text = text;
    this.diagnostics = diagnostics;
    const services = new Map<string, Service | BrokenService>();
    for (const service of workflow.services) if (!services.has(service.name.text)) services.set(service.name.text, service);
    this.services = services;
  }

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }
}
