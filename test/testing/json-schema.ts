// Validates a value against a JSON Schema and returns the violations. Supports the part of draft 2020-12 that this project uses; any other
// keyword is an error.
type Schema = { readonly [word: string]: unknown };
type Files = Readonly<Record<string, Schema>>;

const notes = new Set(['$schema', 'title', 'description', 'examples', '$defs', 'format', 'default']);
const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const schemaOf = (value: unknown): Schema => {
  if (!isObject(value)) throw new Error(`This is no schema: ${JSON.stringify(value)}`);
  return value;
};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Whether the value fits the schema of `file`. `$ref` may refer to `files`. */
export function fits(files: Files, file: string, value: unknown): boolean {
  const root = schemaOf(files[file]);
  return valid(files, root, root, value);
}

function valid(files: Files, root: Schema, schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([word, given]) => notes.has(word) || holds(files, root, schema, word, given, value));
}

function holds(files: Files, root: Schema, schema: Schema, word: string, given: unknown, value: unknown): boolean {
  const check = (inner: unknown, of: unknown): boolean => valid(files, root, schemaOf(inner), of);
  const fields = isObject(value) ? Object.entries(value) : [];
  const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {});
  const named = isObject(schema.properties) ? schema.properties : {};
  switch (word) {
    case '$ref': {
      const [file = '', pointer] = String(given).split('#');
      const target = file === '' ? root : schemaOf(files[file]);
      const inner = (pointer ?? '')
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => schemaOf(at)[key], target);
      return valid(files, target, schemaOf(inner), value);
    }
    case 'type':
      return given === 'integer'
        ? Number.isInteger(value)
        : given === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
    case 'enum':
      return list(given).includes(value);
    case 'anyOf':
      return list(given).some((inner) => check(inner, value));
    case 'not':
      return !check(given, value);
    case 'required':
      return !isObject(value) || list(given).every((key) => Object.hasOwn(value, String(key)));
    case 'properties':
      return fields.every(([key, field]) => named[key] === undefined || check(named[key], field));
    case 'patternProperties':
      return fields.every(([key, field]) =>
        patterns.every(([pattern, inner]) => !new RegExp(pattern, 'u').test(key) || check(inner, field)),
      );
    case 'additionalProperties':
      return fields
        .filter(([key]) => named[key] === undefined && !patterns.some(([pattern]) => new RegExp(pattern, 'u').test(key)))
        .every(([, field]) => given !== false && check(given, field));
    case 'propertyNames':
      return fields.every(([key]) => check(given, key));
    case 'items':
      return !Array.isArray(value) || value.every((item) => check(given, item));
    case 'const':
      return value === given;
    case 'maxItems':
      return !Array.isArray(value) || value.length <= Number(given);
    case 'minLength':
      return typeof value !== 'string' || [...value].length >= Number(given);
    case 'maxLength':
      return typeof value !== 'string' || [...value].length <= Number(given);
    case 'exclusiveMinimum':
      return typeof value !== 'number' || value > Number(given);
    case 'exclusiveMaximum':
      return typeof value !== 'number' || value < Number(given);
    case 'minItems':
      return !Array.isArray(value) || value.length >= Number(given);
    case 'pattern':
      return typeof value !== 'string' || new RegExp(String(given), 'u').test(value);
    case 'minimum':
      return typeof value !== 'number' || value >= Number(given);
    case 'maximum':
      return typeof value !== 'number' || value <= Number(given);
    default:
      throw new Error(`This check knows no "${word}"`);
  }
}
