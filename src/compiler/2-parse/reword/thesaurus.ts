// What people say for the words of the language. A word stands in for ours only where the grammar expects ours, so one list serves every line.

const OTHERS: Readonly<Record<string, string>> = {
  'at most':
    'max|maximum|maximal|up to|no more than|not more than|not above|not over|within|for at most|for up to|a maximum of|not longer than|no longer than',
  'at least': 'min|minimum|minimal|no less than|not less than|not below|not under|no fewer than|a minimum of',
  above:
    'over|more than|greater than|higher than|bigger than|larger than|longer than|older than|heavier than|hotter than|beyond|exceeding|in excess of',
  'is above': 'exceeds|exceed|exceeded|surpasses|takes more than|costs more than|weighs more than|has more than',
  below: 'under|less than|lower than|smaller than|fewer than|shorter than|younger than|cheaper than|lighter than',
  'is below': 'takes less than|costs less than|weighs less than|has less than|has fewer than',
  before: 'earlier than|prior to|older than|sooner than',
  after: 'later than|past|newer than|more recent than',
  is: 'equals|equal to|are|was|were|is equal to|be',
  'is not': "isn't|aren't|is no|is different from|differs from|other than|unequal|does not equal",
  not: 'no|never',
  empty: 'blank|nothing|none|null|nil',
  'is empty': 'has no value|has no items|contains nothing|is missing|has nothing',
  'is not empty': 'has items|has entries|has a value|contains something|contains anything|is filled|is filled in|is filled out',
  exists:
    'is there|is given|is present|is known|is available|is set|is filled in|is filled|was given|was found|is found|is provided|is entered',
  'does not exist':
    'is missing|missing|not found|is unknown|is gone|is absent|not there|not given|not known|is not there|not available|not set',
  contains: 'includes|include|contain|has|have|holds|lists|mentions',
  'starts with': 'begins with|start with|starts by|begin with|is starting with',
  otherwise:
    'default|or else|else|normally|usually|by default|defaults to|default is|standard|if missing|if empty|or|unless given|if not given',
  optional:
    'not required|not mandatory|may be empty|can be empty|can be missing|may be missing|if any|voluntary|not needed|if known',
  like: 'such as|in the form|of the form|in the format|matching|that matches|as|formatted as|formatted like|with the format|with pattern|with the pattern|looks like',
  'one of': 'either|any of|one out of|in',
  'is one of': 'in|is in|is either|is any of|is among|is part of',
  texts: 'strings|words|names|text|phrases',
  records: 'objects|items|rows|entries|lines|elements|things|record|fields',
  record: 'object|entry|group|structure|row',
  with: 'having|containing|using|for|where|by|via|and|of|including',
  using: 'from|via|through|with|by|on|in|over|per|at|to',
  at: 'in|on|under|from|to|table|called|named|path|as|address|located at|by',
  to: 'in|into|as|until|till|through|onto|and|up to',
  in: 'of|from|inside|within|out of|on|among|for|by',
  from: 'between|starting at|since|of|starting from',
  and: 'und|plus|as well as|along with|also|then',
  times: 'x|×|multiplied by|multiplied with|time|attempts|tries',
  'divided by': 'over|divided through|divided into|split into|per|divided',
  plus: 'and|more|added to|increased by|with added',
  minus: 'less|without|reduced by|lowered by|decreased by',
  places: 'decimals|digits|decimal places|decimal digits|decimal|positions',
  place: 'decimal|digit|decimal place',
  doubling: 'doubled|double|exponential|exponentially|doubling each time|increasing',
  waiting: 'every|after|with|wait|pausing|in|each|with a wait of|with a pause of|with pauses of|apart',
  within: 'in|until|by|deadline|due in|not later than|no later than|inside|at most|limit',
  every: 'each|after|all|once every|after every|per',
  'sorted by': 'ordered by|order by|sort by|arranged by|in order of|sorted after|ranked by',
  descending: 'desc|reverse|backwards|highest first|from highest to lowest|largest first|newest first',
  'grouped by': 'group by|per|by each|grouped per|bundled by|by',
  'joined with': 'separated by|separated with|joined by|combined with|combined by|with|connected by|linked with|joined',
  where: 'if|with|whose|when|that have|which have|having|for which|provided|only if',
  satisfies: 'where|with|has|have|such that|for which|is such that|that|whose',
  some: 'any|at least one|at least 1|one|an|a',
  'percent of': 'percent from|per cent of|percent on|pct of|percent off|percentage of',
  'working days': 'business days|workdays|work days|weekdays|banking days',
  'working hours': 'business hours|work hours|office hours|opening hours',
  'written as':
    'formatted as|as|in the form|in the format|with the format|with format|shown as|like|formatted like|in format|with pattern',
  as: 'in|to|under|into|at|named|called',
  'the result as':
    'the answer as|the answer in|the response as|it as|the output as|it in|the result in|the result to|the results as|result to|the data as',
  'the comment as': 'the remark as|the note as|the reason as|the comments as',
  'the status as': 'the status code as|the http status as|the code as|the HTTP status as',
  'at once': 'at a time|simultaneously|in parallel|at the same time',
  'at a time': 'at once|in parallel|simultaneously|together|at the same time',
  'notified by': 'notified via|notified with|notified through|reached by|reached via|informed by|informed via|via|contacted by',
  'highest of': 'maximum of|max of|largest of|biggest of|greatest of|most of|maximum|max|highest|largest',
  'lowest of': 'minimum of|min of|smallest of|least of|minimum|min|lowest|smallest|cheapest of',
  'average of': 'mean of|avg of|average|mean',
  'sum of': 'total of|sum|sum over|sum from|sum in|total',
  'count of': 'number of|amount of|how many|length of|size of|quantity of|count',
  'unique of': 'distinct|unique|different|distinct of|unique values of|distinct values of',
};

/** Words as one writes them, in lower case → what they may mean. */
const meanings = new Map<string, string[]>();
for (const [ours, others] of Object.entries(OTHERS))
  for (const other of others.split('|')) {
    const said = other.toLowerCase();
    meanings.set(said, [...(meanings.get(said) ?? []), ours]);
  }

/** Words of the language that people may mean by these words, wherever the grammar allows them. */
export const meaningsOf = (words: string): readonly string[] => meanings.get(words.toLowerCase()) ?? [];
