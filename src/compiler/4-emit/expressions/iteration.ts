// Emits `each line in … where …` and the like as a function with a plain loop. It is at module level and receives what it reads as
// arguments: a function inside `main` would keep the run's variables in memory, where the engine can't optimize them.
import type { Iteration } from '../../2-parse/tree.js';
import { namesIn } from '../../2-parse/walk.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { localOf } from './reference.js';

export function emitIteration(emitter: Emitter, iteration: Iteration): EmittedCode {
  const { form, item, list, condition, value } = iteration;
  const source = emitter.expression(list).code;
  const identifier = emitter.itemIdentifier(item.text);
  const outer = argumentsOf(emitter, iteration);
  const { result: code, temporaries } = emitter.inFunction(() =>
    emitter.withItem(item.text, identifier, () => ({
      test: condition === undefined ? undefined : emitter.condition(condition).alone,
      value: value === undefined ? identifier : emitter.expression(value).code,
    })),
  );
  const name = emitter.unique(form);
  const parameters = ['run', 'list$', ...outer].join(', ');
  const { start, round, end } = bodies[form];
  emitter.functions.push(
    `function ${name}(${parameters}) {`,
    ...(temporaries.length === 0 ? [] : [`  let ${temporaries.join(', ')};`]),
    ...start,
    '  for (let i$ = 0, n$ = list$.length; i$ < n$; i$++) {',
    `    const ${identifier} = list$[i$];`,
    `    ${round(code.test, code.value)}`,
    '  }',
    `  ${end}`,
    '}',
    '',
  );
  const items = `${emitter.use('items')}(${source}, ${emitter.location(list.span, list.span)})`;
  const type = form === 'filter' || form === 'map' ? 'list' : 'boolean';
  return operandCode(`${name}(${['run', items, ...outer].join(', ')})`, type);
}

interface LoopBody {
  readonly start: readonly string[];
  readonly round: (test: string | undefined, value: string) => string;
  readonly end: string;
}

const listed: LoopBody = {
  start: ['  const out$ = [];'],
  round: (test, value) => `${test === undefined ? '' : `if (${test}) `}out$.push(${value});`,
  end: 'return out$;',
};

const bodies: Readonly<Record<Iteration['form'], LoopBody>> = {
  filter: listed,
  map: listed,
  some: { start: [], round: (test) => `if (${test}) return true;`, end: 'return false;' },
  every: { start: [], round: (test) => `if (!(${test})) return false;`, end: 'return true;' },
};

/** The identifiers of everything that the function reads and does not own, apart from the run. */
function argumentsOf(emitter: Emitter, { item, condition, value }: Iteration): string[] {
  const names = new Set([condition, value].flatMap((part) => (part === undefined ? [] : [...namesIn(part)])));
  names.delete(item.text);
  return [...names].flatMap((name) => localOf(emitter, name) ?? []);
}
