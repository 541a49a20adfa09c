// Lines under a call in words other than the keywords.
import { AMOUNT, atStart, begins, NAME, type Phrase } from './phrase.js';

/** What a call can save, and words that are close to it. */
const SAVED = 'results?|reslut|status|state|response|headers?|confidence|comment|person|message|rows?|body|answer|output|data|it';

/** Under `wait for`. */
export const messagePhrases: readonly Phrase[] = [
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:the\s+|its\s+)?(?:(?!as\b|message\b)[\p{L}_][\p{L}\p{N}_-]*\s+)?(?:as|to|in|into)\s+${NAME}$`,
    'save the message as $1',
  ),
  begins(
    String.raw`if\s+(?:it|no\s+[\p{L}-]+|the\s+[\p{L}-]+)\s+(?:does\s+not\s+|never\s+)?(?:comes?|arrives?|received)(?:\s+in\s+time)?\s*:?$`,
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
    hint: 'Put each header on a separate line:\n    with headers:\n        $1: $2',
  },
  {
    find: atStart(
      String.raw`(?:with|and)\s+(?!(?:headers?|timeout|body|the|an?)\b)([\p{L}_][\p{L}\p{N}_-]*)\s+(?:"|\d|[\p{L}_]).*$`,
    ),
    hint: 'The pairs belong at the end of the line of the call, joined with "and":\n    send mail using Mailer with to request.email and text "Thank you."',
  },
  {
    find: atStart(String.raw`(?:timeout|time\s+limit)\s*(?:of|after|:)?\s*(\d+)\s*(seconds?|minutes?)$`),
    hint: 'A time limit applies to all calls of a service. Put it below the declaration of the service:\n    with timeout $1 $2',
  },
  begins(
    String.raw`if\s+(?:nothing\s+(?:arrives|happens|came|is\s+received)|no\s+(?:answer|message|reply)(?:\s+(?:comes|arrives))?)\s*:?$`,
    'if nothing comes:',
  ),
  begins(String.raw`(?:retry|try\s+again)\s+(?:up\s+to\s+|at\s+most\s+)?${AMOUNT}(?:\s*x|\s+times?)?$`, 'retry #1 times'),
  begins(
    String.raw`(?:retry|try\s+again)\s+(?:up\s+to\s+|at\s+most\s+)?${AMOUNT}\s+times?,?\s+(?:with\s+)?${AMOUNT}\s+(seconds?|minutes?|hours?)\s+(?:between|apart|in\s+between|pause|delay|wait).*$`,
    'retry #1 times waiting #2 $3',
  ),
  begins(
    String.raw`save\s+(?:the\s+)?(?!(?:${SAVED})\b)([\p{L}_][\p{L}\p{N}_-]{2,})\s+as\s+${NAME}$`,
    'save the result as result',
    'The result is a record. Read its field below the call:\n    set $2 to result.$1',
  ),
  {
    find: atStart(String.raw`within\s+(\d+)\s+(?:working|business|work)\s+days?$`),
    hint: 'Only whole days count here. Add the weekends. For 5 working days, write:\n    within 7 days',
  },
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:the\s+|its\s+)?(?:status(?:\s+code)?|code)\s+(?:as|to|in|into)\s+${NAME}$`,
    'save the status as $1',
  ),
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:the\s+|its\s+)?(?:response\s+)?headers\s+(?:as|to|in|into)\s+${NAME}$`,
    'save the response headers as $1',
  ),
  begins(
    String.raw`(?:save|store|keep|remember)\s+(?:(?:the\s+|its\s+)?(?:results?|answer|response|output|reply|data|it|body)\s+)?(?:as|to|in|into)\s+${NAME}$`,
    'save the result as $1',
  ),
  begins(
    String.raw`(?:if|when|on|in\s+case\s+of)\s+(?:it\s+fails|failed|fails|failing|an?\s+failure|(?:an\s+)?errors?|(?:the\s+)?call\s+fails|problem)\s*:?$`,
    'on failure:',
  ),
  begins(String.raw`(?:catch|except|otherwise|else)\s*:?$`, 'on failure:'),
  begins(
    String.raw`(?:try\s+again|repeat|retry)\s+(\d+)\s*(?:x|times?)?\s*(?:every|after|waiting)\s+(\d+)\s+(seconds?|minutes?|hours?)$`,
    'retry $1 times waiting $2 $3',
  ),
  begins(String.raw`(?:try\s+again|repeat|retry)\s+(\d+)\s*(?:x|times?)?$`, 'retry $1 times'),
];
