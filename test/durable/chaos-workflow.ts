// A random workflow with effects of every kind, and what a ledger must see of a run of it.

/** A call, by its number in the workflow. */
export interface PlannedCall {
  /** It is made unless the run ends early. */
  readonly isCertain: boolean;
  readonly isAtMostOnce: boolean;
  /** How often it fails in all. */
  readonly failures: number;
}

export interface PlannedWorkflow {
  readonly name: string;
  readonly text: string;
  readonly calls: ReadonlyMap<number, PlannedCall>;
  /** Each of the later calls is made after all of the earlier ones, and so much later. */
  readonly orders: readonly { readonly earlier: readonly number[]; readonly later: readonly number[]; readonly ms: number }[];
  readonly messages: readonly number[];
  /** The outputs that are certain, and what is in them. */
  readonly outputs: ReadonlyMap<string, 'call' | 'question' | 'message'>;
  /** A call fails for good, so that the run has to be run again from there. */
  readonly fails: boolean;
  readonly isOncePerRequest: boolean;
}

/** Also starts the workflow that the others call. Its calls are those of the caller. */
export const CHILD = `config:
    name: "Child"
    version: 1

services:
    Ledger is an API at "{env.LEDGER_URL}"

workflow:
    trigger: when another workflow calls it

    send first using Ledger at "/{request.n}/{request.place}" with at now
        save the result as first
    wait 0.1 seconds
    send second using Ledger at "/{request.n}/{request.next}" with at now
        save the result as second
    complete with v second.v
`;

export const TICK = `config:
    name: "Tick"
    version: 1

services:
    Ledger is an API at "{env.LEDGER_URL}"

workflow:
    trigger: every second

    send tick using Ledger at "/0/1" with at now
    wait 0.5 seconds
    send tock using Ledger at "/0/2" with at now
    complete
`;

interface Block {
  readonly lines: readonly string[];
  readonly calls: readonly number[];
  /** Milliseconds that it waits, if it does nothing else. */
  readonly waits?: number;
}

interface Surroundings {
  readonly depth: number;
  /** The run may go on without it. */
  readonly isCertain: boolean;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

class Planner {
  readonly calls = new Map<number, PlannedCall>();
  readonly orders: { earlier: readonly number[]; later: readonly number[]; ms: number }[] = [];
  readonly messages: number[] = [];
  readonly outputs = new Map<string, 'call' | 'question' | 'message'>();
  readonly values: string[] = [];
  readonly fails: boolean;
  readonly #random: () => number;
  #last = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.fails = random() < 0.25;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  sequence(count: number, around: Surroundings): Block {
    const lines: string[] = [];
    let earlier: number[] = [];
    let ms = 0;
    for (let index = 0; index < count; index++) {
      const block = this.#block(around);
      lines.push(...block.lines);
      if (earlier.length > 0 && block.calls.length > 0) this.orders.push({ earlier, later: block.calls, ms });
      ms = block.calls.length > 0 ? 0 : ms + (block.waits ?? 0);
      earlier = [...earlier, ...block.calls];
    }
    return { lines, calls: earlier };
  }

  #block(around: Surroundings): Block {
    const kinds = [
      () => this.#call(around),
      () => this.#call(around),
      () => this.#wait(),
      () => this.#question(around),
      () => this.#message(around),
      () => this.#rounds(around),
      () => this.#called(around),
      () => this.#branches(around),
    ];
    return (kinds[this.#below(around.depth > 1 ? kinds.length - 1 : kinds.length)] ?? kinds[0])?.() ?? this.#wait();
  }

  #put(name: string, value: string, kind: 'call' | 'question' | 'message', { isCertain }: Surroundings): void {
    if (!isCertain) return;
    this.outputs.set(name, kind);
    this.values.push(`${name} ${value}`);
  }

  #call(around: Surroundings): Block {
    const step = ++this.#last;
    const lines = [`send c${step} using Ledger at "/{request.n}/${step}" with at now`, `    save the result as c${step}`];
    const luck = this.#random();
    // Whether a call that is sent at most once is in doubt would be another question to a rerun.
    const isAtMostOnce = luck < 0.2 && !this.fails;
    const failures = luck > 0.9 ? 1 : luck > 0.6 ? 1 + this.#below(2) : 0;
    const retries = luck > 0.6 && !(luck > 0.9 && this.fails);
    if (isAtMostOnce) lines.push('    at most once', '    on failure:', '        log "in doubt: {failure.in-doubt}"');
    if (retries) lines.push('    on failure:', '        retry 5 times waiting 0.3 seconds');
    this.calls.set(step, {
      isCertain: around.isCertain && !isAtMostOnce,
      isAtMostOnce,
      failures: retries || this.fails ? failures : 0,
    });
    if (!isAtMostOnce) this.#put(`c${step}`, `c${step}.v`, 'call', around);
    return { lines, calls: [step] };
  }

  #wait(): Block {
    const ms = this.#random() < 0.5 ? 50 + this.#below(300) : 1_000 + this.#below(1_500);
    return { lines: [`wait ${ms / 1_000} seconds`], calls: [], waits: ms };
  }

  #question(around: Surroundings): Block {
    const step = ++this.#last;
    this.#put(`a${step}`, `a${step}`, 'question', around);
    const lines = [
      `ask People to decide on {request.n}/${step}`,
      '    choose from "yes", "no"',
      `    save the result as a${step}`,
    ];
    return { lines, calls: [] };
  }

  #message(around: Surroundings): Block {
    const step = ++this.#last;
    this.messages.push(step);
    this.#put(`m${step}`, `m${step}.value`, 'message', around);
    return { lines: [`wait for go${step} with order request.n`, `    save the message as m${step}`], calls: [] };
  }

  #rounds(around: Surroundings): Block {
    const steps = Array.from({ length: 2 + this.#below(3) }, () => ++this.#last);
    const isCut = this.#random() < 0.3;
    for (const step of steps) this.calls.set(step, { isCertain: around.isCertain && !isCut, isAtMostOnce: false, failures: 0 });
    const lines = [
      `for each p${steps[0]} in [${steps.join(', ')}], ${1 + this.#below(3)} at a time${isCut ? ', until one is done' : ''}:`,
      `    wait ${this.#below(200) / 1_000} seconds`,
      `    send r using Ledger at "/{request.n}/{p${steps[0]}}" with at now`,
    ];
    return { lines, calls: steps };
  }

  #called(around: Surroundings): Block {
    const [first, second] = [++this.#last, ++this.#last];
    for (const step of [first, second]) this.calls.set(step, { isCertain: around.isCertain, isAtMostOnce: false, failures: 0 });
    this.orders.push({ earlier: [first], later: [second], ms: 100 });
    this.#put(`k${second}`, `k${second}.v`, 'call', around);
    const lines = [
      `get k${second} using Child with n request.n and place ${first} and next ${second}`,
      `    save the result as k${second}`,
    ];
    return { lines, calls: [first, second] };
  }

  #branches({ depth, isCertain }: Surroundings): Block {
    const isCut = this.#random() < 0.4;
    const within = { depth: depth + 1, isCertain: isCertain && !isCut };
    const lines = [`at the same time${isCut ? ', until one is done' : ''}:`];
    const calls: number[] = [];
    for (let branch = 2 + this.#below(2); branch > 0; branch--) {
      const name = ++this.#last;
      const block = this.sequence(1 + this.#below(3), within);
      lines.push(`    step S${name}:`, ...indented(indented(block.lines)));
      calls.push(...block.calls);
    }
    return { lines, calls };
  }
}

export function planWorkflow(name: string, random: () => number): PlannedWorkflow {
  const planner = new Planner(random);
  const { lines } = planner.sequence(3 + Math.floor(random() * 5), { depth: 0, isCertain: true });
  const isOncePerRequest = random() < 0.3;
  const { calls, orders, messages, outputs, values, fails } = planner;
  const text = `config:
    name: "${name}"
    version: 1
${isOncePerRequest ? '    once for each: request.n\n' : ''}
services:
    Ledger is an API at "{env.LEDGER_URL}"
    People is a team
    Child is a workflow at "./child.wf"

workflow:
    trigger: when something random happens

${indented(lines).join('\n')}
    complete${values.length === 0 ? '' : ` with ${values.join(' and ')}`}
`;
  return { name, text, calls, orders, messages, outputs, fails, isOncePerRequest };
}
