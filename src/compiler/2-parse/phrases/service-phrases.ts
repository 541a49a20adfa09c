// Service calls and changes of lists in everyday words. Only capitals distinguish a service from a variable.
import { type Phrase, VALUE } from './phrase.js';

const SERVICE = String.raw`(\p{Lu}[\p{L}\p{N}_-]*)`;
const VARIABLE = String.raw`(\p{Ll}[\p{L}\p{N}_.-]*)`;

const says = (words: string, write: string, hint?: string): Phrase => ({
  find: new RegExp(`^(?:${words})`, 'du'),
  write,
  ...(hint === undefined ? {} : { hint }),
});

const needsUsing = 'A service call needs "using".';
const needsPairs = 'Put what the call sends after "with", as pairs of a name and its value.';

/** A call up to its service and its path. */
const CALL = String.raw`([\p{L}_][^"]{0,200}?\busing\s+[^\s"]+(?:\s+at\s+"[^"]*")?)`;
const SAYING = 'saying|telling|that says';

export const servicePhrases: readonly Phrase[] = [
  {
    find: new RegExp(
      `^(?:otherwise\\s+)?if\\s+(?:the\\s+)?${SERVICE}\\s+(?:does\\s+not\\s+)?(?:declines?|rejects?|refuses?|denies|approves?|accepts?|agrees?|confirms?)\\s*:?$`,
      'du',
    ),
    hint: 'Keep the answer of the person, and compare it:\n    ask $1 to approve the refund\n        choose from "approve", "decline"\n        save the result as decision\n    if decision is "decline":',
  },
  says(String.raw`using\s+${SERVICE},?\s+([\p{L}_][^"]{0,100}?)(\s+(?:at|with)\s.*)?$`, '$2 using $1$3', 'Say what to do first.'),
  says(String.raw`([\p{L}_]+)\s+("[^"]*")(?=\s+using\s)`, '$1 @2', 'The words before "using" have no quotes.'),
  says(`${CALL}\\s+(to|for)\\s+${VALUE}$`, '$1 with $2 $3', needsPairs),
  says(`${CALL}\\s+(to|for)\\s+${VALUE},?\\s+(?:with|and)\\s+(?!the\\s|an?\\s)(.+)$`, '$1 with $2 $3 and $4', needsPairs),
  says(
    `${CALL}\\s+(to|for)\\s+${VALUE},?\\s+(?!saying|telling|that|with|and)([\\p{L}_]+)\\s+${VALUE},?\\s+(?!and\\b)([\\p{L}_]+)\\s+${VALUE}$`,
    '$1 with $2 $3 and $4 $5 and $6 $7',
    needsPairs,
  ),
  says(
    `${CALL}\\s+(to|for)\\s+${VALUE},?\\s+(?!saying|telling|that|with|and)([\\p{L}_]+)\\s+${VALUE}$`,
    '$1 with $2 $3 and $4 $5',
    needsPairs,
  ),
  says(`${CALL}\\s+(?:${SAYING})\\s+${VALUE}$`, '$1 with text $2', needsPairs),
  says(`${CALL}\\s+(to|for)\\s+${VALUE},?\\s+(?:${SAYING})\\s+${VALUE}$`, '$1 with $2 $3 and text $4', needsPairs),
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
  says(String.raw`(?:clear|empty|reset)\s+${VARIABLE}$`, 'set $1 to []'),
  says(String.raw`(?:append|insert|push|put)\s+${VALUE}\s+(?:to|into|in|onto|on)\s+${VARIABLE}$`, 'add $1 to $2'),
  says(String.raw`(?:sort|order)\s+${VARIABLE}\s+by\s+${VARIABLE}$`, 'set $1 to $1 sorted by $2'),
  says(String.raw`set\s+${VARIABLE}\s+(?:to\s+)?(plus|minus|times|divided\s+by)\s+(.+)$`, 'set $1 to $1 $2 $3'),
  says(String.raw`${VARIABLE}\s+(plus|minus|times|divided\s+by)\s+(.+)$`, 'set $1 to $1 $2 $3'),
];
