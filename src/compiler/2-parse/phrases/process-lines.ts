// Whole lines of everyday processes as their owners say them: an age, a look-up, a sorted list, a workflow that is asked.
import { AMOUNT, atStart, begins, FIELD, NAME, type Phrase, VALUE } from './phrase.js';

const FIRST_WORD = '(?:first|top)';
const IS = '(?:is(?: (?:at most|at least|above|below|up to|equal to))?|=|equals)';
const headingsCompare = 'The headings of the table say how values are compared.';
const ORDER = '(?:at most|max(?:imum)?|only(?: the first)?|up to|but only)';

export const processLines: readonly Phrase[] = [
  begins(`every ${NAME} (?:in|of) ${NAME}:?$`, 'for each $1 in $2:'),
  {
    find: atStart(String.raw`(?:and|or)(?=\s)`),
    hint: "A line can't continue the one above it. Put the whole condition on one line.",
  },
  begins(
    `(?:calculate|compute|determine|work out|find(?: out)?|get|check) (?:the |their |his |her )?age (?:of|from|with|using|by) ${NAME}$`,
    'set age to years from $1 to today',
  ),
  // Tables.
  begins(`set ${NAME} to (?:the )?look ?up (?:the )?${FIELD} (?:in|from) ([^"]+?) with (.+)$`, 'look up $2 in $3 with $4'),
  begins(
    `look up (.+?) in (.+?) with ${FIELD}\\.${FIELD} and ${FIELD}\\.${FIELD}$`,
    'look up $1 in $2 with $4 $3.$4 and $6 $5.$6',
    'Each value follows the name of its column.',
  ),
  begins(
    `look up (.+?) in (.+?) with ${FIELD}\\.${FIELD}$`,
    'look up $1 in $2 with $4 $3.$4',
    'Each value follows the name of its column.',
  ),
  begins(
    `(?:find|get|take|read|search) (?:the )?${FIELD} (?:in|from) (\\p{Lu}[\\p{L}\\p{N} _-]*?) (?:where|by|for) (?:the )?${FIELD} ${IS} ${VALUE}$`,
    'look up $1 in $2 with $3 $4',
    headingsCompare,
  ),
  begins(
    `(?:find|get|take|read|search) (?:the )?${FIELD} (?:in|from) (\\p{Lu}[\\p{L}\\p{N} _-]*?) (?:where|by|for) (?:the )?${FIELD} ${IS} ${VALUE} and (?:the )?${FIELD} ${IS} ${VALUE}$`,
    'look up $1 in $2 with $3 $4 and $5 $6',
    headingsCompare,
  ),
  // Lists.
  begins(`for each ${FIELD} in ([^,]+?),? ${ORDER} ${AMOUNT}(?: of them| times)?\\s*:?$`, 'for each $1 in first #3 of ($2):'),
  begins(
    `for (?:each of )?(?:each )?(?:the )?${FIRST_WORD} ${AMOUNT} ([\\p{L}]+?)s? (?:in|of|from) ${NAME}\\s*:?$`,
    'for each $2 in first #1 of $3:',
  ),
  begins(
    `(?:sort|order) request\\.${FIELD} by ${NAME}(?:,? (descending|desc))$`,
    'set $1 to request.$1 sorted by $2 descending',
    'The request stays as it is. Set a variable.',
  ),
  begins(
    `(?:sort|order) request\\.${FIELD} by ${NAME}$`,
    'set $1 to request.$1 sorted by $2',
    'The request stays as it is. Set a variable.',
  ),
  begins(`(?:sort|order) ${FIELD} by ${NAME},? (?:descending|desc)$`, 'set $1 to $1 sorted by $2 descending'),
  // Services and other workflows.
  begins(
    `ask (\\p{L}[\\p{L}\\p{N}_-]*) for (?:the |an? )?([^"]+?) with (.+)$`,
    'get $2 using $1 with $3',
    'Only people and AIs are asked:\n    ask Writer to summarize this text: {request.text}',
  ),
  {
    find: atStart(String.raw`[^"]*\busing\b.*\b${FIELD}\s+text\s*:$|[^"]*\busing\b.*\b(?:with|and)\s+${FIELD}\s*:$`),
    hint: 'Set the text first, then send it:\n    set letter to text:\n        Dear {request.name},\n    send letter using Post with to request.email and text letter',
  },
  {
    find: atStart(
      String.raw`[^"]*\busing\s+(\p{L}[\p{L}\p{N}_-]*)(?:\s+at\s+"[^"]*")?\s+with\s+(?:the\s+)?(?:whole\s+)?(?:request|input|everything)$`,
    ),
    hint: 'Name each value to send:\n    get discount using $1 with customer request.customer and total request.total',
  },
];
