// Whether a text of SQL holds more than one statement, as SQLite reads it: its library runs the first and passes over the rest in silence.
import { withoutEnd } from '../../../runtime/without-end.js';

/** Quoted texts and names, comments, and everything that is neither. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"`[\-/;]+|[\s\S]/g;

/** A trigger's own statements each end with a semicolon. */
const trigger = /^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i;

/** True where anything but blanks and comments follows a semicolon. A trigger ends with its `end`. */
export function holdsSeveralStatements(sql: string): boolean {
  const text = trigger.test(sql) ? withoutEnd(sql, ' \t\r\n;').replace(/\bend$/i, '') : sql;
  if (text !== sql) return false;
  let ended = false;
  for (const [part] of sql.matchAll(token)) {
    if (part === ';') ended = true;
    else if (ended && !part.startsWith('--') && !part.startsWith('/*') && part.trim() !== '') return true;
  }
  return false;
}
