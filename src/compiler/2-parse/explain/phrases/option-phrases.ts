// Calls, and the lines under them, in other words.
import { why } from '../../../diagnostics/hint-marks.js';
import { AMOUNT, atStart, begins, NAME, type Phrase, VALUE } from './phrase.js';

/** The results that a call can save, and words close to them. */
const SAVED = 'results?|reslut|status|state|response|headers?|confidence|comment|person|message|rows?|body|answer|output|data|it';

/** Under `wait for`. */
export const messagePhrases: readonly Phrase[] = [
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:the\s+|its\s+)?(?:(?!as\b|message\b)[A-Za-zª_][A-Za-zª\d_-]*\s+)?(?:as|to|in|into)\s+${NAME}$`,
    'save the message as $1',
  ),
  begins(
    String.raw`if\s+(?:it|no\s+[A-Za-zª-]+|the\s+[A-Za-zª-]+)\s+(?:does\s+not\s+|never\s+)?(?:comes?|arrives?|received)(?:\s+in\s+time)?\s*:?$`,
    'if nothing comes:',
  ),
  begins(
    String.raw`if\s+(?:nothing\s+(?:arrives|happens|came|is\s+received)|no\s+(?:answer|message|reply)(?:\s+(?:comes|arrives))?)\s*:?$`,
    'if nothing comes:',
  ),
];

const TEXT = '("[^"]*")';
const JOINED = String.raw`\s*(?:,|\bor\b|\band\b)\s*`;
const CHOOSE = String.raw`(?:choose|choose\s+between|options|choices|answers|pick|select|buttons)(?:\s+(?:are|from|of))?\s*:?`;

export const optionPhrases: readonly Phrase[] = [
  begins(String.raw`set\s+${NAME}\s+to\s+(?:the\s+)?(?:result|answer|response|output)$`, 'save the result as $1'),
  begins(String.raw`save\s+(?!(?:the|as|${SAVED})\b)${NAME}$`, 'save the result as $1'),
  begins(String.raw`(?:send|use)\s+(\S+)\s+as\s+(?:a\s+)?body$`, 'send $1 as the body'),
  begins(String.raw`(?!choose\s+from\s+"[^"]*"\s*,)${CHOOSE}\s+${TEXT}${JOINED}${TEXT}$`, 'choose from $1, $2'),
  begins(
    String.raw`(?!choose\s+from\s+"[^"]*"\s*,)${CHOOSE}\s+${TEXT}${JOINED}${TEXT}${JOINED}${TEXT}$`,
    'choose from $1, $2, $3',
  ),
  begins(
    String.raw`(?:answer|reply|respond|deadline|due)(?:\s+(?:is|in|within|after|of|at\s+most))*\s*:?\s+(\d+)\s+(minutes?|hours?|days?|weeks?)$`,
    'within $1 $2',
  ),
  begins(String.raw`(?:only|just|exactly)\s+once$`, 'at most once'),
  {
    find: atStart(String.raw`with\s+header\s+([\w-]+)\s*:?\s*("[^"]*")$`),
    hint: why('Put each header on a separate line:\n    with headers:\n        $1: $2'),
  },
  {
    find: atStart(
      String.raw`(?:with|and)\s+(?!(?:headers?|timeout|body|the|an?)\b)([A-Za-zª_][A-Za-zª\d_-]*)\s+(?:"|\d|[A-Za-zª_]).*$`,
    ),
    hint: 'The pairs of a call go on its line, joined with "and".',
  },
  {
    find: atStart(String.raw`(?:timeout|time\s+limit)\s*(?:of|after|:)?\s*(\d+)\s*(seconds?|minutes?)$`),
    hint: 'A time limit applies to all calls of a service. Put it below the declaration of the service:\n    with timeout $1 $2',
  },
  begins(
    String.raw`(?:if|when|on|in\s+case\s+of)\s+(?:(?:there\s+is\s+)?no\s+(?:answer|reply|response|reaction)|nobody|no\s+one|nothing|(?:they|he|she|it)\s+(?:do|does)\s+not|not\s+answered|(?:a\s+)?time-?\s?out|timed\s+out|it\s+takes\s+too\s+long|too\s+late)(?:\s+(?:answers?|answered|repl(?:y|ies)|responds?|reacts?|comes?|came|arrives?|happens|is\s+received))?(?:\s+(?:in\s+time|until\s+then|within\s+\d+\s+[a-z]+))?\s*:?$`,
    'on failure:',
  ),
  begins(String.raw`(?:retry|try\s+again)\s+(?:up\s+to\s+|at\s+most\s+)?${AMOUNT}(?:\s*x|\s+times?)?$`, 'retry #1 times'),
  begins(
    String.raw`(?:retry|try\s+again)\s+(?:up\s+to\s+|at\s+most\s+)?${AMOUNT}\s+times?,?\s+(?:with\s+)?${AMOUNT}\s+(seconds?|minutes?|hours?)\s+(?:between|apart|in\s+between|pause|delay|wait).*$`,
    'retry #1 times waiting #2 $3',
  ),
  begins(
    String.raw`save\s+(?:the\s+)?(?!(?:${SAVED}|decision|choice|verdict)\b)([A-Za-zª_][A-Za-zª\d_-]{2,})\s+as\s+${NAME}$`,
    'save the result as result',
    'The result is a record. Read its field below the call:\n    set $2 to result.$1',
  ),
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:the\s+|its\s+)?(?:status(?:\s+code)?|code)\s+(?:as|to|in|into)\s+${NAME}$`,
    'save the status as $1',
  ),
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:(?:the\s+|its\s+)?(?:results?|answer|decision|choice|verdict|response|output|reply|data|it|body)\s+)?(?:as|to|in|into)\s+${NAME}$`,
    'save the result as $1',
  ),
  begins(
    String.raw`(?:if|when|on|in\s+case\s+of)\s+(?:it\s+fails|failed|fails|failing|an?\s+failure|(?:an\s+)?errors?|(?:the\s+)?call\s+fails|problem)\s*:?$`,
    'on failure:',
  ),
];

const SERVICE = String.raw`([A-Zª][A-Za-zª\d_-]*)`;
const VARIABLE = String.raw`([a-zª][A-Za-zª\d_.-]*)`;

const says = (words: string, write: string, hint?: string): Phrase => ({
  find: new RegExp(`^(?:${words})`, 'd'),
  write,
  ...(hint === undefined ? {} : { hint }),
});

const needsUsing = 'A service call needs "using".';
const needsPairs = 'Put what the call sends after "with", as pairs of a name and its value.';

/** A call up to its service and its path. */
const CALL = String.raw`([A-Za-zª_][^"]{0,200}?\busing\s+[^\s"]+(?:\s+at\s+"[^"]*")?)`;

/** Service calls and changes of lists in everyday words. Only capitals distinguish a service from a variable. */
export const servicePhrases: readonly Phrase[] = [
  {
    find: new RegExp(
      `^(?:otherwise\\s+)?if\\s+(?:the\\s+)?${SERVICE}\\s+(?:does\\s+not\\s+)?(?:declines?|rejects?|refuses?|denies|approves?|accepts?|agrees?|confirms?)\\s*:?$`,
      'd',
    ),
    hint: 'Keep the answer of the person, and compare it:\n    ask $1 to approve the refund\n        choose from "approve", "decline"\n        save the result as decision\n    if decision is "decline":',
  },
  says(
    String.raw`using\s+${SERVICE},?\s+([A-Za-zª_][^"]{0,100}?)(\s+(?:at|with)\s.*)?$`,
    '$2 using $1$3',
    'Say what to do first.',
  ),
  says(String.raw`([A-Za-zª_]+)\s+("[^"]*")(?=\s+using\s)`, '$1 @2', 'The words before "using" have no quotes.'),
  says(`${CALL}\\s+(to|for)\\s+(?!"/)${VALUE}$`, '$1 with $2 $3', needsPairs),
  says(`${CALL}\\s+(to|for)\\s+(?!"/)${VALUE},?\\s+(?:with|and)\\s+(?!the\\s|an?\\s)(.+)$`, '$1 with $2 $3 and $4', needsPairs),
  says(
    `${CALL}\\s+(to|for)\\s+(?!"/)${VALUE},?\\s+(?!saying|telling|that|with|and)([A-Za-zª_]+)\\s+${VALUE},?\\s+(?!and\\b)([A-Za-zª_]+)\\s+${VALUE}$`,
    '$1 with $2 $3 and $4 $5 and $6 $7',
    needsPairs,
  ),
  says(
    `${CALL}\\s+(to|for)\\s+(?!"/)${VALUE},?\\s+(?!saying|telling|that|with|and)([A-Za-zª_]+)\\s+${VALUE}$`,
    '$1 with $2 $3 and $4 $5',
    needsPairs,
  ),
  says(
    `${CALL}\\s+with\\s+([A-Za-zª_][A-Za-zª\\d_-]*)\\s+${VALUE}\\s*,\\s*([A-Za-zª_][A-Za-zª\\d_-]*)\\s+${VALUE}$`,
    '$1 with $2 $3 and $4 $5',
    'Join the pairs with "and".',
  ),
  says(
    String.raw`(get|fetch|load|read|list|find|search|check|create|update|delete|send|post)\s+(?!.*\busing\b)(.+?)\s+(?:from|via|through|over|on|in|to)\s+${SERVICE}(\s.*)?$`,
    '$1 $2 using $3$4',
    needsUsing,
  ),
  says(String.raw`(?:use|call)\s+${SERVICE}\s+to\s+(?!.*\b(?:at|using)\b)(.+)$`, '$2 using $1', needsUsing),
  says(
    String.raw`(?:call|invoke|query|hit|request)\s+${SERVICE}(\s+at\s+"[^"]*"(?:\s.*)?)?$`,
    'get result using $1$2',
    'The first word says what to do: get, create, update or delete.',
  ),
  says(String.raw`(?:remove|delete|drop)\s+${VALUE}\s+from\s+${VARIABLE}$`, 'set $2 to each item in $2 where item is not $1'),
  says(String.raw`(?:clear|empty|reset)\s+${VARIABLE}$`, 'set $1 to empty'),
  says(String.raw`(?:append|insert|push|put)\s+${VALUE}\s+(?:to|into|in|onto|on)\s+${VARIABLE}$`, 'add $1 to $2'),
  says(String.raw`${VARIABLE}\s+(plus|minus|times|divided\s+by)\s+(.+)$`, 'set $1 to $1 $2 $3'),
];
