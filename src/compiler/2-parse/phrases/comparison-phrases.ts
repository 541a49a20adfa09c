// Comparisons in everyday words. The first matching phrase in the list counts.
import { anywhere, NAME, type Phrase, says, VALUE } from './phrase.js';

const MORE = 'greater|more|larger|bigger|higher|over';
const LESS = 'less|smaller|fewer|lower|under';
const OR_EQUAL = String.raw`\s+th[ae]n\s+or\s+(?:is\s+)?(?:equal(?:s)?(?:\s+to)?|the\s+same\s+as)|\s+or\s+equals?(?:\s+to|\s+than)?`;
const THAN = String.raw`(?:\s+th[ae]n)?`;

const repeat = 'A comparison has one value on each side. To compare the value again, write its name again.';

export const comparisonPhrases: readonly Phrase[] = [
  says(String.raw`there\s+(?:is|are)\s+(?:no|not\s+an?y?)\s+${NAME}`, '$1 is empty'),
  says(String.raw`there\s+(?:is|are)\s+(?:an?y?\s+|some\s+)?${NAME}`, '$1 is not empty'),
  says(String.raw`(?<=\bif\s+)no\s+${NAME}(?=\s*:)`, '$1 is empty'),
  says(
    String.raw`(?:any|at\s+least\s+one)\s+${NAME}\s+(?:in|of)\s+${NAME}\s+(is\s+[^:]+?)(?=\s*:)`,
    'some $1 in $2 satisfies $1 $3',
  ),
  {
    find: anywhere(String.raw`is\s+(?:not\s+)?an?\s+(?:number|text|string|list|date|boolean|record|integer)`),
    hint: 'Declare the kind of each input. It is checked before the run:\n    inputs:\n        total is a number',
  },
  { find: anywhere('inclusive(?:ly)?'), hint: 'Delete the word: "is between" includes both ends.' },
  says(
    String.raw`is\s+(?:at\s+least|from)\s+${VALUE}\s+(?:and|but|to|up\s+to)\s+(?:is\s+)?(?:at\s+most|to|up\s+to)\s+${VALUE}`,
    'is between $1 and $2',
  ),
  says(String.raw`is\s+from\s+${VALUE}\s+(?:to|until)\s+${VALUE}`, 'is between $1 and $2'),
  says(String.raw`is\s+between\s+${VALUE}\s+(?:to|-|or|until)\s+${VALUE}`, 'is between $1 and $2'),
  says(String.raw`between\s+${VALUE}\s+to\s+${VALUE}`, 'is between $1 and $2'),
  {
    find: anywhere(
      String.raw`${VALUE}\s+is\s+(above|below|at\s+least|at\s+most)\s+${VALUE}\s+(and|or|but)\s+(?:is\s+)?(above|below|at\s+least|at\s+most)\s+${VALUE}`,
    ),
    write: '$1 is $2 $3 $4 $1 is $5 $6',
    hint: repeat,
  },
  says(String.raw`(?:is\s+)?(?:not|no)\s+(?:${MORE})${THAN}`, 'is at most'),
  says(String.raw`(?:is\s+)?(?:not|no)\s+(?:${LESS})${THAN}`, 'is at least'),
  says(String.raw`(?:is\s+)?(?:${MORE})(?:${OR_EQUAL})`, 'is at least'),
  says(String.raw`(?:is\s+)?(?:${LESS})(?:${OR_EQUAL})`, 'is at most'),
  says(String.raw`is\s+above\s+or\s+equal(?:s|\s+to)?`, 'is at least'),
  says(String.raw`is\s+below\s+or\s+equal(?:s|\s+to)?`, 'is at most'),
  says(String.raw`is\s+(?:a\s+)?min(?:imum)?(?:\s+of)?`, 'is at least'),
  says(String.raw`is\s+(?:(?:a\s+)?max(?:imum)?(?:\s+of)?|up\s+to)`, 'is at most'),
  says(String.raw`at\s+least|minimum`, 'is at least'),
  says(String.raw`at\s+most|up\s+to|maximum`, 'is at most'),
  says(String.raw`(?:is\s+)?(?:${MORE}|older|later|exceeds|exceeding|beyond)${THAN}`, 'is above'),
  says(String.raw`(?:is\s+)?(?:${LESS}|younger|earlier)${THAN}`, 'is below'),
  says(
    String.raw`(?:does\s+not|do\s+not|not)\s+(?:equals?|match(?:es)?)(?:\s+to)?|is\s+(?:not\s+(?:equal|the\s+same|same|identical)|different|unequal|other)(?:\s+(?:to|as|from|than))?|differs\s+from`,
    'is not',
  ),
  says(String.raw`is\s+(?:equal|the\s+same|same|identical|exactly)(?:\s+(?:to|as))?|equals?(?:\s+to)?`, 'is'),
  says(String.raw`is\s+either\s+${VALUE}\s+or\s+${VALUE}`, 'is one of [$1, $2]'),
  says(String.raw`is\s+neither\s+${VALUE}\s+nor\s+${VALUE}`, 'is not one of [$1, $2]'),
  says(String.raw`is\s+either\s+${VALUE}(?:,\s*${VALUE})+\s*,?\s*or\s+${VALUE}`, 'is one of [$1, $2, $3]'),
  says(String.raw`is\s+${VALUE}\s*,\s*or\s+${VALUE}`, 'is one of [$1, $2]'),
  says(String.raw`("[^"]*")\s+(?:is\s+)?in\s+${NAME}`, '$2 contains $1'),
  {
    find: /\bis\s+like$/diu,
    hint: 'Put the pattern in quotes. Elsewhere, # after a space starts a comment:\n    is like "####"',
  },
  says('(?<!\\bis\\s+)(?:matches|matching|like)', 'is like'),
  says(String.raw`is\s+${VALUE},\s*${VALUE}\s*,?\s*or\s+${VALUE}`, 'is one of [$1, $2, $3]'),
  says(String.raw`is\s+(?:any|one|some)\s+of\s+${VALUE}\s*(?:,|or|and)\s*${VALUE}`, 'is one of [$1, $2]'),
  says(String.raw`is\s+(?:not\s+(?:any\s+of|in|one)|none\s+of)`, 'is not one of'),
  says(String.raw`is\s+(?:any\s+of|in|among|part\s+of|a\s+member\s+of|either)|in`, 'is one of'),
  says(
    String.raw`is\s+not\s+(?:set|present|given|defined|there|available|provided|known|filled(?:\s+in)?)|is\s+(?:missing|unset|undefined|unknown|null|absent)|(?:not|does\s+not)\s+exists|does\s+not\s+have(?:\s+a)?\s+value|has\s+no\s+value`,
    'does not exist',
  ),
  says(
    String.raw`is\s+(?:set|present|given|defined|there|available|provided|known|filled(?:\s+in)?)|has\s+a\s+value|is\s+not\s+(?:null|missing|undefined)`,
    'exists',
  ),
  says(String.raw`is\s+blank|is\s+nothing`, 'is empty'),
  says(String.raw`is\s+not\s+blank`, 'is not empty'),
  says(String.raw`(?:does\s+not|not)\s+(?:include|contains|have|includes|has)`, 'does not contain'),
  {
    find: anywhere(String.raw`any\s+${NAME}\s+(?:is|are|has|have)\s+[^:]+?(?=\s*:)`),
    hint: 'To test the items of a list, name the list and an item:\n    if some order in request.orders satisfies order.total is above 100:',
  },
  says('are|were|was|has\\s+been|have\\s+been', 'is'),
  says('includes|include|contain|containing|has', 'contains'),
  says(String.raw`(?:begins|begin|start|starting)\s+with`, 'starts with'),
  says(String.raw`(?:end|ending|finishes)\s+with`, 'ends with'),
];
