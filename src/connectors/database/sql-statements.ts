// Detects several statements in one SQL text, because SQLite's library runs the first and silently ignores the rest.
import { withoutEnd } from '../../../runtime/values/without-end.js';

/** Quoted text and names, comments, and everything else. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"`[\-/;]+|[\s\S]/g;

/** The statements inside a trigger end with semicolons, too. */
const trigger = /^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i;

/** Whether anything but white space and comments follows a semicolon. A trigger ends with `end`. */
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
