// Formats the syntax tree for `tree.txt`: one statement per line, its parts by name, every operation in parentheses, no spans.
import type { Expression, Inputs, Statement, Text, Workflow } from '../../src/compiler/2-parse/tree.js';

const INDENT = '  ';

export function showTree({ config, inputs, services, trigger, body }: Workflow): string {
  const { span: _span, ...settings } = config ?? { span: undefined };
  return `${[
    ...node('config', settings),
    ...(inputs === undefined ? [] : ['inputs', ...fields(inputs)]),
    ...services.flatMap((service) => node('service', service)),
    `trigger ${JSON.stringify(trigger)}`,
    ...body.flatMap((statement) => node(statement.kind, statement)),
  ].join('\n')}\n`;
}

/** One line each, with the fields of a record below it. */
const fields = (inputs: Inputs): string[] =>
  inputs.fields.flatMap((field) => {
    if (field.kind === 'broken') return [`${INDENT}broken ${field.name.text}`];
    const { name, kind, presence, fields: below } = field;
    const told = [name.text, detail(kind), ...(presence === undefined ? [] : [detail(presence)])].join(', ');
    return [`${INDENT}${told}`, ...(below === undefined ? [] : fields(below).map((line) => INDENT + line))];
  });

/** The content of a declaration, without spans. */
function detail(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(detail).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if ('parts' in value || 'written' in value) return inline(value);
  return Object.entries(value)
    .filter(([name, part]) => name !== 'span' && part !== undefined && !isEmpty(part))
    .map(([name, part]) => (name === 'is' || name === 'kind' ? String(part) : `${name}: ${detail(part)}`))
    .join(' ');
}

/** `kind name: value …`, with parts that are lines themselves below it. */
function node(title: string, parts: object): string[] {
  const own: string[] = [title];
  const under: string[] = [];
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined || name === 'span' || name.endsWith('Span') || name === 'line' || isEmpty(value)) continue;
    if (name === 'kind' && value === title) continue;
    if (name === 'body' && Array.isArray(value)) under.push(...statements(value));
    else if (name === 'branches') under.push(...value.flatMap((branch: object) => node('branch', branch)));
    else if (name === 'otherwise' || name === 'onFailure' || name === 'retry' || name === 'stillFailing')
      under.push(...node(name, value));
    else own.push(`${name}: ${inline(value)}`);
  }
  return [own.join(' '), ...under.map((line) => INDENT + line)];
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const statements = (block: readonly Statement[]): string[] => block.flatMap((statement) => node(statement.kind, statement));

const hasKind = (value: object): value is Expression => 'kind' in value;

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (hasKind(value)) return expression(value);
  if ('amount' in value && 'unit' in value) return `${value.amount} ${value.unit}`;
  // A name prints as its text. What remains is a pair, a header or a line that saves something.
  if ('text' in value) return String(value.text);
  return Object.entries(value)
    .filter(([name]) => name !== 'span')
    .map(([, part]) => inline(part))
    .join(' = ');
}

function expression(value: Expression): string {
  switch (value.kind) {
    case 'reference':
      return [value.root, ...value.fields].join('.');
    case 'text':
      return textOf(value);
    case 'number':
      return value.written;
    case 'constant':
      return value.value === null ? 'empty' : String(value.value);
    case 'list':
      return inline(value.items);
    case 'group':
      return `group${wrapped(expression(value.inner))}`;
    case 'builtin':
      return `(${[value.name, ...value.operands.map(expression)].join(' ')})`;
    case 'arithmetic':
      return value.operations.reduce(
        (before, { operator, operand }) => `(${before} ${operator} ${expression(operand)})`,
        expression(value.first),
      );
    case 'shift':
      return `(${expression(value.date)} ${value.operator} ${expression(value.amount)} ${value.unit})`;
    case 'difference':
      return `(${value.unit} from ${expression(value.from)} to ${expression(value.to)})`;
    case 'arranged':
      return `(${expression(value.list)} ${value.how}${value.path.length > 0 ? ` by ${value.path.join('.')}` : ''}${value.isDescending ? ' descending' : ''})`;
    case 'iteration': {
      const made = value.value === undefined ? '' : `${expression(value.value)} for `;
      const condition = value.condition === undefined ? '' : ` where ${expression(value.condition)}`;
      return `(${made}${value.form} ${value.item.text} in ${expression(value.list)}${condition})`;
    }
    case 'record':
      return `{${value.pairs.map(inline).join(', ')}}`;
    case 'field':
      return [expression(value.owner), ...value.keys.map((key) => (typeof key === 'string' ? key : `{${expression(key)}}`))].join(
        '.',
      );
    case 'comparison':
      return `(${expression(value.left)} ${value.comparator} ${expression(value.right)})`;
    case 'between':
      return `(${expression(value.value)} is between ${expression(value.low)} and ${expression(value.high)})`;
    case 'state':
      return `(${expression(value.value)} ${value.state})`;
    case 'logic':
      return `(${value.operands.map(expression).join(` ${value.operator} `)})`;
    case 'not':
      return `(not ${expression(value.operand)})`;
  }
}

const wrapped = (text: string): string => (text.startsWith('(') ? text : `(${text})`);

const textOf = ({ parts }: Text): string =>
  `"${parts.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : `⟨${expression(part)}⟩`)).join('')}"`;
