// The drawing of a workflow as data. Takes the tree of a file, with or without errors, and its text; gives nested blocks from top to bottom,
// in which branches are lanes side by side. `wf graph --format json` prints it; `svg.ts` and `mermaid.ts` draw it.
import type {
  Ask,
  Block,
  Call,
  Expression,
  If,
  LookUp,
  OnFailure,
  OutcomeBlock,
  Statement,
  Text,
  WaitFor,
  Workflow,
} from '../compiler/2-parse/tree.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { pathAsWritten } from '../compiler/vocabulary/field-names.js';

/** One way of several. */
export interface Lane {
  /** 1-based line of its head. */
  readonly line: number;
  /** `if total is above 100`, `on failure`; empty for a statement that runs beside others. */
  readonly text: string;
  /** `trouble`: what happens if a call fails, nobody answers or nothing is found. */
  readonly kind: 'way' | 'trouble';
  readonly nodes: readonly DiagramNode[];
}

interface NodeBase {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export type DiagramNode =
  /** One thing after the other: setting a value, logging, waiting, or leaving a loop. */
  | (NodeBase & { readonly kind: 'action' | 'wait' | 'leave' | 'unreadable' })
  /** A request to a service, a question, or a look-up in a table; `service` is whom or what it asks. */
  | (NodeBase & { readonly kind: 'call' | 'ask' | 'look up'; readonly service: string; readonly lanes: readonly Lane[] })
  /** A message that the run waits for. */
  | (NodeBase & { readonly kind: 'message'; readonly lanes: readonly Lane[] })
  | (NodeBase & { readonly kind: 'complete' | 'reject' })
  | (NodeBase & { readonly kind: 'step' | 'loop'; readonly nodes: readonly DiagramNode[] })
  /** `isWhole`: one of the lanes is always taken. */
  | (NodeBase & { readonly kind: 'choice'; readonly lanes: readonly Lane[]; readonly isWhole: boolean })
  | (NodeBase & { readonly kind: 'together'; readonly lanes: readonly Lane[] });

export interface Diagram {
  readonly name: string;
  /** The trigger of a run. */
  readonly trigger: string;
  readonly nodes: readonly DiagramNode[];
}

/** @param name of the workflow if the file doesn't give one */
export function diagramOf(workflow: Workflow, text: string, name: string): Diagram {
  const named = workflow.config?.name?.parts.join('') ?? '';
  return {
    name: named === '' ? name : named,
    trigger: workflow.trigger,
    nodes: new Reader(text).nodes(workflow.body),
  };
}

class Reader {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  nodes(block: Block): DiagramNode[] {
    return block.map((statement) => this.#node(statement));
  }

  /** As written, on one line and without the colon that opens a block. */
  #written({ start, end }: Span): string {
    return this.#text.slice(start, end).replace(/\s+/g, ' ').replace(/ ?:$/, '').trim();
  }

  /** A text as it will be shown, with the names of its values in braces; anything else as written. */
  #shown(expression: Expression): string {
    return expression.kind === 'text' ? shownText(expression) : this.#written(expression.span);
  }

  #node(statement: Statement): DiagramNode {
    const { line } = statement;
    const text = this.#written(statement.span);
    switch (statement.kind) {
      case 'step':
        return { kind: 'step', line, text: statement.name.text, nodes: this.nodes(statement.body) };
      case 'for each':
      case 'for each field':
      case 'repeat':
        return { kind: 'loop', line, text, nodes: this.nodes(statement.body) };
      case 'at the same time':
        return { kind: 'together', line, text, lanes: statement.body.map((one) => this.#branch(one)) };
      case 'if':
        return this.#choice(statement);
      case 'complete':
        return { kind: 'complete', line, text };
      case 'reject':
        return { kind: 'reject', line, text: this.#shown(statement.message) };
      case 'log':
        return { kind: 'action', line, text: `log ${this.#shown(statement.value)}` };
      case 'wait':
      case 'wait until':
        return { kind: 'wait', line, text };
      case 'skip':
      case 'stop':
        return { kind: 'leave', line, text };
      case 'set':
      case 'add':
        return { kind: 'action', line, text };
      case 'broken':
        return { kind: 'unreadable', line, text: text === '' ? '?' : text };
      default:
        return this.#withLanes(statement);
    }
  }

  /** Statements after which a run can take another way. */
  #withLanes(statement: Call | Ask | LookUp | WaitFor): DiagramNode {
    const { line } = statement;
    switch (statement.kind) {
      case 'call':
        return {
          kind: 'call',
          line,
          text: this.#callText(statement),
          service: statement.service.text,
          lanes: this.#outcomes(statement),
        };
      case 'ask': {
        const asked = shownText(statement.instruction).replace(/\s+/g, ' ').trim();
        return { kind: 'ask', line, text: asked, service: statement.service.text, lanes: this.#outcomes(statement) };
      }
      case 'look up': {
        const results = statement.results.map((result) => result.text).join(', ');
        const lanes = this.#trouble('if nothing matches', statement.nothing);
        return { kind: 'look up', line, text: `look up ${results}`, service: statement.table.text, lanes };
      }
      case 'wait for': {
        const limit = statement.atMost === undefined ? '' : ` at most ${this.#written(statement.atMost.span)}`;
        const lanes = [...this.#success(statement.onSuccess), ...this.#trouble('if nothing comes', statement.silence)];
        return { kind: 'message', line, text: `wait for ${statement.message.text}${limit}`, lanes };
      }
    }
  }

  #callText({ phrase, at, running }: Call): string {
    const where = at ?? running;
    return `${phrase.join(' ')}${where === undefined ? '' : ` · ${shownText(where).replace(/\s+/g, ' ')}`}`;
  }

  #choice({ branches, otherwise, line }: If): DiagramNode {
    const lanes = branches.map(
      ({ body, ...at }): Lane => ({ line: at.line, text: this.#written(at.span), kind: 'way', nodes: this.nodes(body) }),
    );
    if (otherwise !== undefined)
      lanes.push({ line: otherwise.line, text: 'otherwise', kind: 'way', nodes: this.nodes(otherwise.body) });
    return { kind: 'choice', line, text: '', lanes, isWhole: otherwise !== undefined };
  }

  #branch(statement: Statement): Lane {
    return { line: statement.line, text: '', kind: 'way', nodes: [this.#node(statement)] };
  }

  #outcomes({ onSuccess, onFailure }: Call | Ask): Lane[] {
    return [...this.#success(onSuccess), ...this.#failure(onFailure)];
  }

  #success(outcome: OutcomeBlock | undefined): Lane[] {
    return outcome === undefined
      ? []
      : [{ line: outcome.line, text: 'on success', kind: 'way', nodes: this.nodes(outcome.body) }];
  }

  #failure(onFailure: OnFailure | undefined): Lane[] {
    if (onFailure === undefined) return [];
    const { retry, body, line } = onFailure;
    const times = retry === undefined ? '' : `, after ${retry.times} ${retry.times === 1 ? 'retry' : 'retries'}`;
    return [
      { line, text: `on failure${times}`, kind: 'trouble', nodes: body === undefined ? [asError(line)] : this.nodes(body) },
    ];
  }

  #trouble(text: string, under: { readonly body: Block; readonly line: number } | undefined): Lane[] {
    return under === undefined ? [] : [{ line: under.line, text, kind: 'trouble', nodes: this.nodes(under.body) }];
  }
}

/** Without statements, a failure ends the run. */
const asError = (line: number): DiagramNode => ({ kind: 'leave', line, text: 'the run ends as an error' });

const shownText = ({ parts }: Text): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{${pathAsWritten(part)}}`)).join('');

/** Whether nothing comes after these nodes, because the run or the round always ends in them. */
export function nothingFollows(nodes: readonly DiagramNode[]): boolean {
  return nodes.some((node) => {
    switch (node.kind) {
      case 'complete':
      case 'reject':
      case 'leave':
        return true;
      case 'step':
        return nothingFollows(node.nodes);
      case 'choice':
        return node.isWhole && node.lanes.every((lane) => nothingFollows(lane.nodes));
      default:
        return false;
    }
  });
}
