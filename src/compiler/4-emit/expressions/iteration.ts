// Emits `each line in … where …` and the like as functions with a plain loop. They are at module level and receive what they read as
// arguments: a function inside `main` would keep the run's variables in memory, where the engine can't optimize them.
import type { Iteration } from '../../2-parse/tree.js';
import { namesIn } from '../../2-parse/walk.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { declared, localsIn, roundMayTakeLong } from './in-turns.js';

export function emitIteration(emitter: Emitter, iteration: Iteration): EmittedCode {
  const { form, list } = iteration;
  const items = `${emitter.use('items')}(${emitter.expression(list).code}, ${emitter.location(list.span, list.span)})`;
  const outer = localsIn(emitter, namesOfRound(iteration));
  let functions = emitter.iterations.get(iteration);
  if (functions === undefined) {
    functions = {};
    emitter.iterations.set(iteration, functions);
  }
  const type = form === 'filter' || form === 'map' ? 'list' : 'boolean';
  if (emitter.mode !== 'in turns') {
    functions.whole ??= emitWhole(emitter, iteration, outer);
    return operandCode(`${functions.whole}(${['run', items, ...outer].join(', ')})`, type);
  }
  functions.inParts ??= emitInParts(emitter, iteration, outer);
  const { rounds, round } = functions.inParts;
  const found = `(await ${emitter.use('roundsInTurns')}(run, ${rounds}, ${round ?? 'undefined'}, ${items}, [${outer.join(', ')}]))`;
  return operandCode(bodies[form].found(found), type);
}

interface LoopBody {
  readonly start: readonly string[];
  readonly round: (test: string | undefined, value: string) => string;
  readonly end: string;
  /** A round of a loop that runs in parts; `found` reads the value that it finds. */
  readonly part: (test: string | undefined, value: string) => string;
  readonly found: (found: string) => string;
}

const tested = (test: string | undefined, statement: string): string =>
  test === undefined ? statement : `if (${test}) ${statement}`;

const listed: LoopBody = {
  start: ['  const out$ = [];'],
  round: (test, value) => tested(test, `out$.push(${value});`),
  end: 'return out$;',
  part: (test, value) => tested(test, `out$.push(${value});`),
  found: (found) => `${found}.out`,
};

const bodies: Readonly<Record<Iteration['form'], LoopBody>> = {
  filter: listed,
  map: listed,
  some: {
    start: [],
    round: (test) => `if (${test}) return true;`,
    end: 'return false;',
    part: (test) => `if (${test}) return void (found$.isFound = true);`,
    found: (found) => `${found}.isFound`,
  },
  every: {
    start: [],
    round: (test) => `if (!(${test})) return false;`,
    end: 'return true;',
    part: (test) => `if (!(${test})) return void (found$.isFound = true);`,
    found: (found) => `!${found}.isFound`,
  },
};

/** The code of the test and of the value for one item. */
interface Round {
  readonly test: string | undefined;
  readonly value: string;
}

function emitRound(emitter: Emitter, { item, condition, value }: Iteration, identifier: string): Round {
  return emitter.withItem(item.text, identifier, () => ({
    test: condition === undefined ? undefined : emitter.condition(condition).alone,
    value: value === undefined ? identifier : emitter.expression(value).code,
  }));
}

function emitWhole(emitter: Emitter, iteration: Iteration, outer: readonly string[]): string {
  const { form, item } = iteration;
  const identifier = emitter.itemIdentifier(item.text);
  const { result: code, temporaries } = emitter.inFunction(() => emitRound(emitter, iteration, identifier));
  const name = emitter.unique(form);
  const { start, round, end } = bodies[form];
  emitter.functions.push(
    `function ${name}(${['run', 'list$', ...outer].join(', ')}) {`,
    ...declared(temporaries),
    ...start,
    '  for (let i$ = 0, n$ = list$.length; i$ < n$; i$++) {',
    `    const ${identifier} = list$[i$];`,
    `    ${round(code.test, code.value)}`,
    '  }',
    `  ${end}`,
    '}',
    '',
  );
  return name;
}

function emitInParts(
  emitter: Emitter,
  iteration: Iteration,
  outer: readonly string[],
): { readonly rounds: string; readonly round: string | undefined } {
  const { form, item, condition, value } = iteration;
  const isLong = [condition, value].some((one) => one !== undefined && roundMayTakeLong(one, emitter.typeOf));
  const identifier = emitter.itemIdentifier(item.text);
  const sized = emitter.sizedOperations;
  const fast = emitter.inFunction(() => emitter.as('at once', () => emitRound(emitter, iteration, identifier)));
  const isDue = emitter.sizedOperations > sized ? ` && !${emitter.use('workload')}.isDue` : '';
  const rounds = emitter.unique(form);
  const { part } = bodies[form];
  emitter.functions.push(
    `function ${rounds}(${['run', 'list$', 'found$', 'end$', ...outer].join(', ')}) {`,
    ...declared(fast.temporaries),
    '  const out$ = found$.out;',
    '  let i$ = found$.at;',
    // A round that takes too long is left in its middle.
    `  for (; i$ < end$${isDue}; ${isLong ? 'found$.at = ' : ''}++i$) {`,
    `    const ${identifier} = list$[i$];`,
    `    ${part(fast.result.test, fast.result.value)}`,
    '  }',
    '  found$.at = i$;',
    '}',
    '',
  );
  if (!isLong) return { rounds, round: undefined };
  const slow = emitter.inFunction(() => emitRound(emitter, iteration, identifier));
  const round = emitter.unique(form);
  emitter.functions.push(
    `async function ${round}(${['run', identifier, 'found$', ...outer].join(', ')}) {`,
    ...declared(slow.temporaries),
    '  const out$ = found$.out;',
    `  ${part(slow.result.test, slow.result.value)}`,
    '}',
    '',
  );
  return { rounds, round };
}

/** The names that its rounds read and don't bind themselves. */
function namesOfRound({ item, condition, value }: Iteration): Set<string> {
  const names = new Set([condition, value].flatMap((part) => (part === undefined ? [] : [...namesIn(part)])));
  names.delete(item.text);
  return names;
}
