// Finds identifiers in an emitted module that nothing declares, by JavaScript's scoping. Names of variables in a workflow must never add
// one.
import { type AnyNode, type Node, type Pattern, parse } from 'acorn';

type Scope = ReadonlySet<string>;

export function freeIdentifiers(code: string): string[] {
  const free = new Set<string>();
  visit(parse(code, { ecmaVersion: 2022, sourceType: 'module' }), new Set(), free);
  // Effectively a keyword: it can't be reassigned.
  free.delete('undefined');
  return [...free].sort();
}

function visit(node: AnyNode, around: Scope, free: Set<string>): void {
  const declared = declaredBy(node);
  const scope = declared.length === 0 ? around : new Set([...around, ...declared]);
  if (node.type === 'Identifier' && !scope.has(node.name)) free.add(node.name);
  for (const [key, part] of Object.entries(node)) {
    // Names of fields, labels and imports are not references.
    const isComputed = 'computed' in node && node.computed;
    if (node.type === 'ImportSpecifier' || node.type === 'MetaProperty') continue;
    if (key === 'label') continue;
    if (!isComputed && (key === 'property' || (key === 'key' && node.type === 'Property'))) continue;
    for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child, scope, free);
  }
}

const isNode = (part: unknown): part is AnyNode => typeof part === 'object' && part !== null && 'type' in part;

/** The names declared inside this node. */
function declaredBy(node: AnyNode): string[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
      return node.body.flatMap((statement) => namesOf(statement));
    case 'ForStatement':
      return node.init ? namesOf(node.init) : [];
    case 'ForOfStatement':
      return namesOf(node.left);
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return node.params.flatMap(patternNames);
    case 'CatchClause':
      return node.param ? patternNames(node.param) : [];
    default:
      return [];
  }
}

function namesOf(statement: Node): string[] {
  const node = statement as AnyNode; // every node of acorn is one of these
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => patternNames(id));
    case 'FunctionDeclaration':
      return node.id === null ? [] : [node.id.name];
    case 'ImportDeclaration':
      return node.specifiers.map(({ local }) => local.name);
    case 'ExportNamedDeclaration':
      return node.declaration ? namesOf(node.declaration) : [];
    default:
      return [];
  }
}

/** The emitter declares only plain names. */
function patternNames(pattern: Pattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  throw new Error(`A declaration of the kind ${pattern.type} is new here`);
}
