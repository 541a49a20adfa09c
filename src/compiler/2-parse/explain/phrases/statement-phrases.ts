// Statements in other words, or as whole sentences, such as those in descriptions of processes.
import { likeThis, why, writeLines } from '../../../diagnostics/hint-marks.js';
import { AMOUNT, anywhere, atStart, begins, explained, FIELD, NAME, type Phrase, says, VALUE } from './phrase.js';

/** Not on a line with "using", which is a call, however it starts; also if the word is misspelt. */
const NO_USING = String.raw`(?!.*\bu[sing]{2,5}\b)`;

const noEnd = 'Delete this line. A block ends with its indentation.';
const separate = why('Put what should happen on a separate line:');
const opposite =
  'Say when the loop ends: "repeat until", the opposite condition, and ", at most 50 times:" so that it always ends.';
const like = (example: string): string => likeThis(example.replaceAll('\n', '\n    '));

export const statementPhrases: readonly Phrase[] = [
  begins(
    String.raw`complete\s+(?:with\s+)?("[^"]*"|-?[\d.]+)$`,
    'complete with result $1',
    'Each output has a name and a value.',
  ),
  explained(String.raw`(?:end|done)(?=\s*:?$)`, `${noEnd} To end the run, write "complete".`),
  explained(String.raw`(?:end|endif|fi|endfor|endwhile|done|next|end\s+(?:if|for|loop|while|each|step))\b(?=\s*:?$)`, noEnd),
  explained(String.raw`(?:repeat\s+)?while\b`, opposite),
  explained(
    String.raw`for\s+(?:each\s+)?${NAME}\s+(?:in|from|=)\s+\d+\s+(?:to|until|through)\s+(\d+)\s*:?$`,
    'To repeat a number of times, write:\n    repeat at most $2 times:\nThe number of the round is in "round".',
  ),
  begins(String.raw`for\s+each\s+${NAME}\s*,\s*${NAME}\s+in\s+(.+?)\s*:?$`, 'for each $1 and $2 in $3:'),
  explained(String.raw`repeat\s+(\d+)\s*(?:times|x)?\s*:?$`, like('repeat at most $1 times:')),
  explained(
    String.raw`repeat\s+until\s+(?!.*\((?:at most|max|up to))(.+?)\s*:?$`,
    'Set a maximum, so that the loop always ends:\n    repeat until $1, at most 100 times:',
  ),
  explained(String.raw`(?:do|loop)\s+(\d+)\s*(?:times|x)\s*:?`, like('repeat at most $1 times:')),
  begins(String.raw`unless\s+(.+?)\s*:?$`, 'if not ($1):'),
  explained(
    `if ${NAME}( with [^:]+?)? (?:comes?|arrives?|is received)(?: in)?(?: at any time)?\\s*:?$`,
    'One branch waits for the message, and the other does the work:\n    at the same time, until one is done:\n        step Message:\n            wait for $1$2\n        step Work:\n            log "…"',
  ),
  explained(
    String.raw`(?:when|whenever|in\s+case|should)\s+([^:]+?)\s*,?\s+then\s+([^\s:].*)$`,
    writeLines('if $1:\n        $2'),
  ),
  begins(String.raw`if\s+(.+?)\s*,?\s+then\s*:?$`, 'if $1:'),
  explained(
    String.raw`if\s+(.+?)(?<!\b(?:more|less|greater|larger|bigger|smaller|higher|lower|fewer|older|later))\s*,?\s+then\s+([^\s:].*)$`,
    `${separate}\n    if $1:\n        $2`,
  ),
  begins(
    String.raw`(?:for(?!\s+each\s+of\b)|foreach|for\s+(?:each|every|all|any))\s+(?:the\s+)?${NAME}\s+(?:in|of|from)\s+(.+?)\s*:?$`,
    'for each $1 in $2:',
  ),
  explained(
    String.raw`if\s+([^:]+?[^,:\s]),?\s+((?:log|set|reject|complete|add)\s[^:]*)$`,
    `${separate}\n    if $1:\n        $2`,
  ),
  explained(
    String.raw`otherwise\s+(?!if\b)([^:\s][^:]*)$`,
    why('Put what should happen on a separate line:\n    otherwise:\n        $1'),
  ),
  explained(
    String.raw`for\s+(?:(?:each|every|all|any)\s+)?${NAME}\s*:?$`,
    'Say which list to loop over:\n    for each $1 in request.items:',
  ),
  explained(
    String.raw`(?:switch|select(?!.*\bfrom\b)|case|match)\b${NO_USING}`,
    like(
      'if status is "paid":\n    log "paid"\notherwise if status is "open":\n    log "open"\notherwise:\n    log "another status"',
    ),
  ),
  begins(
    String.raw`try\s+again\s+(\d+)\s*(?:x|times?)?\s+(?:every|after|waiting)\s+(\d+)\s+(seconds?|minutes?|hours?)$`,
    'retry $1 times waiting $2 $3',
    'It belongs below a call, as the first line under "on failure:".',
  ),
  begins(
    String.raw`(?:please|kindly|just|then|also|now|next|first|finally|lastly|afterwards|and)\s*,?\s+((?:log|set|add|complete|reject|wait|for|if|stop|skip|step|repeat|otherwise)\b.*)$`,
    '$1',
    'Lines run from top to bottom. Leave out "then" and "please".',
  ),
  explained(
    String.raw`(?:try|catch|except|finally|on\s+error)\b${NO_USING}`,
    'Below a call, say what to do if it fails:\n    get order using Shop at "/orders/1"\n        on failure:\n            reject with "The shop does not answer."',
  ),
  explained(
    String.raw`(?:import|include|require|run\s+workflow|call\s+workflow)\b${NO_USING}`,
    'Declare and call another workflow like a service:\n    services:\n        Discounts is a workflow at "./discounts.wf"',
  ),
  explained(
    String.raw`(?:function|def|func|sub|procedure|macro|goto|go\s+to|jump)\b${NO_USING}`,
    'Lines run from top to bottom. Group them with a name:\n    step Check the order:\nSteps that several files need can be a separate workflow, declared like a service:\n    Discounts is a workflow at "./discounts.wf"',
  ),
  explained(String.raw`(?:\d{1,3}|[a-z])\)\s`, 'Lines need no numbers or letters. Delete them.'),
  begins(String.raw`return\s+${FIELD}\s+and\s+${FIELD}$`, 'complete with $1 $1 and $2 $2', 'Each output has a name and a value.'),
  begins(String.raw`reject\s+(?:because|as|since)\s+(?!of\b)([A-Za-zª][^":]*)$`, 'reject with "$1"'),
  explained(
    String.raw`(?:send|e-?mail|mail|notify|inform|tell|call)\b${NO_USING}`,
    'Everything that leaves the workflow goes through a service. Declare one under services:\n    Post is a mail server at "{env.SMTP_URL}"\nand call it with "using":\n    send letter using Post with to request.email and subject "Your order" and text letter',
  ),
  begins(String.raw`(?:increase|raise|increment)\s+${NAME}\s+by\s+${VALUE}$`, 'set $1 to $1 plus $2'),
  begins(
    String.raw`save\s+(?:results?|answer|response|output|reply)\s+as\s+${NAME}$`,
    'save the result as $1',
    'Put the line below the call, indented by 4 more spaces.',
  ),
  begins(String.raw`set\s+(?:the|a|an|my|our)\s+${NAME}\s+(?:to|as|=)\s+(.+)$`, 'set $1 to $2', 'Leave out "the" and "a".'),
  begins(String.raw`set\s+${NAME}\s+(?:as|be|equal\s+to|equals|is)\s+(.+)$`, 'set $1 to $2'),
  explained(String.raw`set\s+to(?![\w-])`, 'Say which variable to set:\n    set total to 5'),
  begins(String.raw`${NAME}\s+(?:becomes|equals|gets|shall\s+be|should\s+be)\s+(.+)$`, 'set $1 to $2'),
  begins(
    String.raw`(?:the\s+)?${NAME}\s+is\s+((?!a\b|an\b).*[^:\s])$`,
    'set $1 to $2',
    'To give a name a value, start the line with "set". To test a condition, start it with "if".',
  ),
  begins(
    `set ${NAME} (?!(?:[^"]* )?to\\b)(?!(?:as|be|is|of|equals?|plus|minus|times|divided)\\b)([A-Za-zª\\d("\\[][^:]*)$`,
    'set $1 to $2',
  ),
  begins(`for each ${FIELD} ([A-Za-zª_][A-Za-zª\\d_-]*(?:\\.[A-Za-zª\\d_-]+)+)\\s*:$`, 'for each $1 in $2:'),
  explained(
    String.raw`(?:exit|quit|abort|end|stop(?!\s+th))\b${NO_USING}`,
    'To end the run, write "complete", or "reject with …" and the reason. To end a loop, write "stop the loop".',
  ),
  begins(String.raw`wait\s+for\s+(\d+)\s+(seconds?|minutes?|hours?)$`, 'wait $1 $2'),
];

const NO_NAME = 'the|an?|my|our|to|as|be|is|equals?|plus|minus|times|divided';
const WORD = String.raw`(?!(?:${NO_NAME})\b)([A-Za-zª_][A-Za-zª\d_]*)`;
const oneWord = 'A name is one word. Join its words with a hyphen.';
const otherWorkflow =
  'Declare and call another workflow like a service:\n    services:\n        Discounts is a workflow at "./discounts.wf"\nand in the workflow:\n    get discount using Discounts with customer request.customer';

/**
 * Whole lines as people write them first: names of several words, tables and workflows that are called by name, loops with a number.
 */
export const sentencePhrases: readonly Phrase[] = [
  begins(
    `for each ${NAME} in ([^,]+?),? (?:at once|in parallel|at the same time|simultaneously)\\s*:?$`,
    'for each $1 in $2, 10 at a time:',
  ),
  // Loops.
  begins(
    `repeat until (.+?)\\s*,?\\s*(?:at most|max(?:imum)?|up to|no more than) (\\d+)(?: times)?\\s*:?$`,
    'repeat until $1, at most $2 times:',
  ),
  begins(`repeat (?:up to|max(?:imum)?|no more than|at most) (\\d+)(?: times)?\\s*:?$`, 'repeat at most $1 times:'),
  begins(`for (\\d+) (?:times|rounds)\\s*:?$`, 'repeat at most $1 times:'),
  begins(
    `for each ${NAME} in ([^,]+?),? (\\d+) (?:at once|in parallel|at the same time|together)\\s*:?$`,
    'for each $1 in $2, $3 at a time:',
  ),
  begins(`for all ${NAME}\\s*:?$`, 'for each item in $1:'),
  begins(`(?:in parallel|concurrently|at (?:the )?same time|simultaneously)\\s*:?$`, 'at the same time:'),
  begins(`((?:otherwise )?if .+?) (and|or) if (.+)$`, '$1 $2 $3'),
  // Tables.
  // Other workflows and services.
  explained(
    `(?:call|run|use|start|execute) (?:the )?(?:workflow\\b|"[^"]*"(?=$| with\\b)|\\S+\\.wf\\b)(?!.*\\busing\\b)`,
    otherWorkflow,
  ),
  explained(
    `set ${NAME} to (?:the )?[A-Za-zª]+ from [A-Zª][A-Za-zª]+$`,
    'To call a service, and keep what it answers, write:\n    get discount using Discounts with customer request.customer\n        save the result as discount',
  ),
  // Endings, pauses, remarks.
  begins(`(?:error|cancel|abort|stop|exit)(?: with)? ("[^"]*")$`, 'reject with $1'),
  explained(`(?:cancel|succeed|finish(?:ed)?|quit)$`, 'To end the run, write "complete", or "reject with …" and the reason.'),
  begins(`(?:sleep|pause|delay|hold)(?: for)? ${VALUE} (seconds?|minutes?|hours?|days?|weeks?)$`, 'wait $1 $2'),
  explained('(?:note|todo|remark|comment|fixme|ps)\\s*:', 'A comment starts with #.'),
  begins(`complete with the ${NAME} (?!and\\b)(\\S.*)$`, 'complete with $1 $2', 'Leave out "the" and "a".'),
  begins(`return ${NAME}$`, 'complete with $1 $1', 'Each output has a name and a value.'),
  begins(`return ${VALUE}$`, 'complete with result $1', 'Each output has a name and a value.'),
  begins(`step ("[^"]*")\\s*:?$`, 'step @1:', 'The name of a step has no quotes.'),
  begins(`step\\s*: (\\S.*?)\\s*:?$`, 'step $1:'),
  begins(`(?:continue with |go to |take )?(?:the )?next [A-Za-zª]+$`, 'skip'),
  explained(
    `for each ${NAME}(?:\\s*,| and) (?:index|idx|i|n|number|position) in ([^:]+?)\\s*:?$`,
    'Count the rounds with a variable:\n    set number to 0\n    for each $1 in $2:\n        set number to number plus 1',
  ),
  explained(
    `for each ${NAME} in ([^:]+?),? with (?:an? |its |the )?(?:index|number|position)\\s*:?$`,
    'Count the rounds with a variable:\n    set number to 0\n    for each $1 in $2:\n        set number to number plus 1',
  ),
  // Two statements.
  explained(
    `((?:set|add) [^"]*? to (?:${VALUE}(?: (?:plus|minus|times) ${VALUE})?)|log ${VALUE}|wait \\d+ [A-Za-zª]+)\\s*[,.]?\\s*(?:(?:and|then) )*((?:set|add) \\S+ to \\S.*|log \\S.*|complete\\b.*|reject with .*|wait \\d.*|skip|stop the loop)$`,
    'Write one statement per line:\n    $1\n    $5',
  ),
  // Texts and lists.
  begins(`set ${NAME} to(?: the)?(?: following(?: text)?)?\\s*:$`, 'set $1 to text:', 'The lines below it are the text.'),
  begins(`set ${NAME} to (each ${NAME} in ${NAME}) if (.+)$`, 'set $1 to $2 where $5'),
  explained(
    `set ${NAME} to .*\\b(?:if|else)\\b`,
    'Put each case on separate lines: first the usual value, then an "if" with another value below it.',
  ),
  begins(`set ${NAME} to \\(?((?:${VALUE},\\s*)+(?:and )?${VALUE})\\)?$`, 'set $1 to [$2]', 'Write a list in brackets.'),
  begins(`set ${NAME} to (.+?) and (?!rounded\\b)${NAME} to (.+)$`, 'set $1 to $2', 'Set each variable on a separate line.'),
  begins(`set ${NAME}\\s*:\\s*(\\S.*)$`, 'set $1 to $2'),
  // Names of several words.
  begins(`set ${WORD} ${WORD} to (.+)$`, 'set $1-$2 to $3', oneWord),
  begins(`set ${WORD} ${WORD} ${WORD} to (.+)$`, 'set $1-$2-$3 to $4', oneWord),
  begins(`add ([^"]+|"[^"]*") to ${WORD} ${WORD}$`, 'add $1 to $2-$3', oneWord),
];

const IS = '(?:is(?: (?:at most|at least|above|below|up to|equal to))?|=|equals)';
const headingsCompare = 'The headings of the table say how values are compared.';

/** `approve by Manager within 3 days`: what follows the person, and the question that is meant. */
const DECISIONS = [
  [
    String.raw`\s+within\s+(\d+)\s+(minutes?|hours?|days?|weeks?|working\s+days?)`,
    writeLines('ask $3 to $1$2\n        within $4 $5'),
  ],
  ['', writeLines('ask $3 to $1$2')],
] as const;
const WEEKDAY = '(monday|tuesday|wednesday|thursday|friday|saturday|sunday|day|weekday|working day)';

const FIRST_WORD = '(?:first|top)';

export const processLines: readonly Phrase[] = [
  begins(`every ${NAME} (?:in|of) ${NAME}:?$`, 'for each $1 in $2:'),
  {
    find: atStart(String.raw`(?:and|or)(?=\s)`),
    hint: "A line can't continue the one above it. Put the whole condition on one line.",
  },
  // People and timetables.
  ...DECISIONS.map(
    ([words, hint]): Phrase => ({
      find: atStart(
        `(approve|confirm|review|check|sign|decide|release)( [^":]+?)?\\s+by\\s+(?:the\\s+)?([A-Zª][A-Za-zª\\d_-]*)${words}$`,
      ),
      hint,
    }),
  ),
  {
    find: atStart(`every ${WEEKDAY}\\s+at\\s+(\\d{1,2}:\\d{2})\\s*:?$`),
    hint: 'When a workflow starts is a setting. Put it under config:, and the lines below it into the workflow:\n    schedule: "every $1 at $2"',
  },
  // Tables.
  begins(
    `(?:find|get|take|read|search) (?:the )?${FIELD} (?:in|from) ([A-Zª][A-Za-zª\\d _-]*?) (?:where|by|for) (?:the )?${FIELD} ${IS} ${VALUE} and (?:the )?${FIELD} ${IS} ${VALUE}$`,
    'look up $1 in $2 with $3 $4 and $5 $6',
    headingsCompare,
  ),
  // Lists.
  begins(
    `for (?:each of )?(?:each )?(?:the )?${FIRST_WORD} ${AMOUNT} ([A-Za-zª]+?)s? (?:in|of|from) ${NAME}\\s*:?$`,
    'for each $2 in first #1 of $3:',
  ),
  // Services and other workflows.
  {
    find: atStart(String.raw`[^"]*\busing\b.*\b${FIELD}\s+text\s*:$|[^"]*\busing\b.*\b(?:with|and)\s+${FIELD}\s*:$`),
    hint: 'Set the text first, then send it:\n    set letter to text:\n        Dear {request.name},\n    send letter using Post with to request.email and text letter',
  },
  {
    find: atStart(
      String.raw`[^"]*\busing\s+([A-Za-zª][A-Za-zª\d_-]*)(?:\s+at\s+"[^"]*")?\s+with\s+(?:the\s+)?(?:whole\s+)?(?:request|input|everything)$`,
    ),
    hint: 'Name each value to send:\n    get discount using $1 with customer request.customer and total request.total',
  },
];

const UNITS = '(seconds|minutes|hours|working days|days|weeks|months|years)';
const DAY = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const SOME_LINES = '(?:(?!of |in )[A-Za-zª-]+ )?(?:of|in|from)';

const ages: readonly Phrase[] = [
  says(`${NAME} is (?:on )?an? ${DAY} or (?:an? )?${DAY}`, 'weekday of $1 is one of ["^2", "^3"]'),
  says(`(?:(?:the )?(?:number of )?(?:full|whole|completed) )?${UNITS} (?:since|passed since) ${NAME}`, '$1 from $2 to today'),
  says(`${UNITS} (?:until|till|left until) ${NAME}`, '$1 from today to $2'),
  says(
    `(?:the )?${NAME} (?:has passed|is over(?! (?!and\\b|or\\b)[A-Za-zª\\d"(-])|has expired|is expired|is overdue)`,
    '$1 is before today',
  ),
  says(`it is (?:a|the|at the|on a) weekend`, 'weekday of today is one of ["Saturday", "Sunday"]'),
];

const lists: readonly Phrase[] = [
  says(`(?:the )?(first|last) ${AMOUNT} (?!(?:letters?|characters?|chars?|digits?)\\b)${SOME_LINES} ${NAME}`, '$1 #2 of $3'),
  says(`each ${FIELD}\\.${NAME} (?:in|of) ${NAME}`, '$1.$2 for each $1 in $3'),
  {
    find: anywhere(
      String.raw`sorted\s+by\s+[A-Za-zª_][A-Za-zª\d_.-]*\s+(?:times|plus|minus|divided\s+by)\s+[A-Za-zª_][A-Za-zª\d_.-]*`,
    ),
    hint: 'A list is sorted by a field of its items. Give each item a field with the result:\n    set lines to (record with sku line.sku and total (line.price times line.quantity)) for each line in request.lines\n    set sorted to lines sorted by total descending',
  },
];

const amounts: readonly Phrase[] = [says(`${NAME} (plus|minus) (\\d+(?:\\.\\d+)?) percent(?! of)`, '$1 $2 $3 percent of $1')];

/**
 * Ages, deadlines, shares and the dearest lines, as people who own such a process say them. Searched before all other phrases for values.
 */
export const processValues: readonly Phrase[] = [...ages, ...lists, ...amounts];
