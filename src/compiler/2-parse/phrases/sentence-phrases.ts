// Whole lines as people write them first: names of several words, tables and workflows that are called by name, loops with a number.
import { begins, explained, NAME, type Phrase, VALUE } from './phrase.js';

const NO_NAME = 'the|an?|my|our|to|as|be|is|equals?|plus|minus|times|divided';
const WORD = String.raw`(?!(?:${NO_NAME})\b)([\p{L}_][\p{L}\p{N}_]*)`;
const SERVICE = String.raw`(\p{L}[\p{L}\p{N}_-]*)`;
const oneWord = 'A name is one word. Join its words with a hyphen.';
const otherWorkflow =
  'Declare and call another workflow like a service:\n    services:\n        Discounts is a workflow at "./discounts.wf"\nand in the workflow:\n    get discount using Discounts with customer request.customer';

export const sentencePhrases: readonly Phrase[] = [
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
  begins(
    `for each ${NAME} in ([^,]+?),? (?:at once|in parallel|at the same time|simultaneously)\\s*:?$`,
    'for each $1 in $2, 10 at a time:',
  ),
  begins(`for all ${NAME}\\s*:?$`, 'for each item in $1:'),
  begins(`(?:in parallel|concurrently|at (?:the )?same time|simultaneously)\\s*:?$`, 'at the same time:'),
  begins(`((?:otherwise )?if .+?) (and|or) if (.+)$`, '$1 $2 $3'),
  begins(`((?:otherwise )?if [^"]*?\\S) (?:looks? like|like) ("[^"]*".*)$`, '$1 is like $2'),
  // Tables.
  begins(`set ${NAME} to (?:the )?look ?up (?:in |of )?([^"]+?) with (.+)$`, 'look up $1 in $2 with $3'),
  begins(`look up ([^"]+?) (?:from|of|using) ([^"]+? with .+)$`, 'look up $1 in $2'),
  begins(`look up ([^"]+?) in ("[^"]*")(.*)$`, 'look up $1 in @2$3'),
  begins(`look up ([^"]+?) in ([^"]+?) (?:where|by|for|when) ${NAME} is (.+)$`, 'look up $1 in $2 with $3 $4'),
  begins(`look up ([^"]+?) in ([^"]+? with [^:]+):$`, 'look up $1 in $2', 'Without a colon.'),
  // Other workflows and services.
  begins(
    `(?:call|run|invoke|use|start) (?:the )?(?:workflow )?${SERVICE} with ((?!.*\\busing\\b).+)$`,
    'get result using $1 with $2',
    'The first word says what to do: get, create, update or delete.',
  ),
  explained(
    `(?:call|run|use|start|execute) (?:the )?(?:workflow\\b|"[^"]*"(?=$| with\\b)|\\S+\\.wf\\b)(?!.*\\busing\\b)`,
    otherWorkflow,
  ),
  explained(
    `set ${NAME} to (?:the )?\\p{L}+ from \\p{Lu}\\p{L}+$`,
    'To call a service, and keep what it answers, write:\n    get discount using Discounts with customer request.customer\n        save the result as discount',
  ),
  // Endings, pauses, remarks.
  begins(`(?:error|cancel|abort|stop|exit)(?: with)? ("[^"]*")$`, 'reject with $1'),
  explained(`(?:cancel|succeed|finish(?:ed)?|quit)$`, 'To end the run, write "complete", or "reject with …" and the reason.'),
  begins(`console\\.log\\s*\\(?\\s*(.+?)\\s*\\)?$`, 'log $1'),
  begins(`(?:sleep|pause|delay|hold)(?: for)? ${VALUE} (seconds?|minutes?|hours?|days?|weeks?)$`, 'wait $1 $2'),
  explained('(?:note|todo|remark|comment|fixme|ps)\\s*:', 'A comment starts with #.'),
  begins(`complete with the ${NAME} (?!and\\b)(\\S.*)$`, 'complete with $1 $2', 'Leave out "the" and "a".'),
  begins(`return ${NAME}$`, 'complete with $1 $1', 'Each output has a name and a value.'),
  begins(`return ${VALUE}$`, 'complete with result $1', 'Each output has a name and a value.'),
  begins(`step ("[^"]*")\\s*:?$`, 'step @1:', 'The name of a step has no quotes.'),
  begins(`step\\s*: (\\S.*?)\\s*:?$`, 'step $1:'),
  begins(`(?:continue with |go to |take )?(?:the )?next \\p{L}+$`, 'skip'),
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
    `((?:set|add) [^"]*? to (?:${VALUE}(?: (?:plus|minus|times) ${VALUE})?)|log ${VALUE}|wait \\d+ \\p{L}+)\\s*[,.]?\\s*(?:(?:and|then) )*((?:set|add) \\S+ to \\S.*|log \\S.*|complete\\b.*|reject with .*|wait \\d.*|skip|stop the loop)$`,
    'Write one statement per line:\n    $1\n    $5',
  ),
  // Texts and lists.
  begins(`set ${NAME} to(?: the)?(?: following(?: text)?)?\\s*:$`, 'set $1 to text:', 'The lines below it are the text.'),
  begins(`set ${NAME} to (each ${NAME} in ${NAME}) if (.+)$`, 'set $1 to $2 where $5'),
  explained(
    `set ${NAME} to .*\\b(?:if|else)\\b`,
    'Put each case on separate lines:\n    set fee to 5\n    if total is above 100:\n        set fee to 0',
  ),
  begins(`set ${NAME} to \\(?((?:${VALUE},\\s*)+(?:and )?${VALUE})\\)?$`, 'set $1 to [$2]', 'Write a list in brackets.'),
  begins(`set ${NAME} to (.+?) and ${NAME} to (.+)$`, 'set $1 to $2', 'Set each variable on a separate line.'),
  begins(`filter ${NAME} (?:where|by|for|to) (.+)$`, 'set $1 to each item in $1 where item.$2'),
  begins(`split ${VALUE} (?:by|at|on) ("[^"]*") (?:into|as|to|in) ${NAME}$`, 'set $3 to $1 split by $2'),
  begins(`sort ${NAME}$`, 'set $1 to $1 sorted'),
  begins(`set ${NAME}\\s*:\\s*(\\S.*)$`, 'set $1 to $2'),
  // Names of several words.
  begins(`set ${WORD} ${WORD} to (.+)$`, 'set $1-$2 to $3', oneWord),
  begins(`set ${WORD} ${WORD} ${WORD} to (.+)$`, 'set $1-$2-$3 to $4', oneWord),
  begins(`add ([^"]+|"[^"]*") to ${WORD} ${WORD}$`, 'add $1 to $2-$3', oneWord),
];
