// Rewords what is said about lists: which items, in which order, and what is made of them.
import { type AroundLine, type HiddenTexts, pattern } from './hidden-line.js';

interface Values {
  readonly texts: HiddenTexts;
  readonly around: AroundLine;
}

/** The name of an item of a list: `request.sites` → `site`. */
export const singular = (list: string): string => {
  const name = list.split('.').pop() ?? list;
  const one = name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '');
  return one === name ? 'item' : one;
};

/** Words before a loop that calculates with all items. */
const TOTALS = 'sum|count|average|highest|lowest|unique';

/** `all items in request.items where item.crates …` → `all item in …`: one item has the name of one. */
const oneByOne = (line: string): string =>
  line.replace(pattern('(?<![A-Za-z0-9_.-])(?<!each )(<name>) in (?=<path>)', 'g'), (all, name: string) =>
    (singular(name) !== 'item' || name === 'items') && pattern(`\\b${singular(name)}\\.`).test(line)
      ? `${singular(name)} in `
      : all,
  );

/** `sum(… for each …)`, `for item in`, `every item in … where`, `items in … where` */
const loops = (line: string): string =>
  oneByOne(line)
    .replace(pattern(`\\b(${TOTALS}) of (?!\\()([^()]+ for each .+)$`), '$1 of ($2)')
    .replace(pattern(`\\b(${TOTALS})\\((?=.* (?:for|in|where) )`, 'g'), '$1 of (')

    .replace(pattern('\\b(each (<name>) in <path>),? (?:with|having|whose|if|that has) (?=\\2\\.)'), '$1 where ')
    .replace(pattern('^(set <path> to )(<path> for each <name> in <path>) (?=joined with )'), '$1($2) ')
    .replace(pattern('\\(for each (<name>) in (<path>):? (.+)\\)$'), '($3 for each $1 in $2)')
    .replace(
      pattern(
        '^(set <path> to |for )(?:all |every |those |the |only ){0,3}(<name>) in (<path>) (?=where |with |whose |if |that )',
      ),
      '$1each $2 in $3 ',
    )
    .replace(
      pattern('\\beach (<name>) in (<path>) (?:that|which|who) (?:is|are) (<name>)(?=:|$)'),
      (_, name: string, list: string, field: string) => {
        const one = list.endsWith(name) ? singular(name) : name;
        return `each ${one} in ${list} where ${one}.${field}`;
      },
    )

    .replace(pattern('\\beach (?!item\\b)(<name>) (<name>) in (<path>)(?=:|$| where )'), 'each $2 in $3 where $2.$1')

    .replace(pattern('^for each (<path>) as (<name>)'), 'for each $2 in $1')
    .replace(pattern('^for each \\((.*)\\)(?=:$)'), 'for each $1')
    .replace(pattern('^(for each <name> in <path>),? in (?:groups|batches|lots|packs) of (<number>):$'), '$1, $2 at a time:');

/** `sort(list, price)`, `sorted descending by price`, `unique of article in lines` */
const arranged = (line: string): string =>
  line
    .replace(pattern('\\b(?:sort|sorted)\\((<path>), ?(<name>|<text>)\\)'), '$1 sorted by $2')

    .replace(pattern('\\bsorted (?:descending|desc|down) by (<name>|<text>)'), 'sorted by $1 descending')

    .replace(
      pattern('\\b(?:separated|combined|connected|concatenated|linked|merged|glued) (?:by|with) (?=<text>)'),
      'joined with ',
    )
    .replace(pattern('\\bjoined with ([,;/-])$'), (_, sign: string) => `joined with "${sign} "`);

/** `the first tenant`, `words of description`, `at least one item in …` */
function parts(line: string, { texts, around }: Values): string {
  return line
    .replace(pattern('\\b(first|last) (?:of (?:the )?)?(<name>)$'), (all, which: string, name: string) => {
      const list = around.variables.has(name)
        ? name
        : [...around.variables].find((one) => singular(one) === name && one !== name);
      return list === undefined ? all : `${which} of ${list}`;
    })

    .replace(
      pattern('(?<=^set <path> to )(?:an? |the )?list (?:of|with) (<value>(?:(?:,? and|,) <value>)+)$'),
      (_, items: string) => `[${items.replace(/,? and /g, ', ')}]`,
    )
    .replace(pattern('\\bwords (?:of|in) (<path>)'), (_, path: string) => `${path} split by ${texts.hide(' ')}`)
    .replace(
      pattern('(<path>) (?:shortened|cut|limited|truncated) (?:to|at|after) (<number>) characters'),
      'first $2 characters of $1',
    )

    .replace(
      pattern('\\bsome (<name>)\\.(\\S+) in (<path>) (?=is |contains |starts |ends |exists)'),
      'some $1 in $3 satisfies $1.$2 ',
    );
}

const SIGNS: Readonly<Record<string, string>> = { comma: ', ', semicolon: '; ', space: ' ', dash: '-', slash: '/' };

/** The sentences about lists in a line whose texts are hidden. */
export const rewordLists = (line: string, values: Values): string =>
  parts(arranged(loops(line)), values).replace(
    /\b(separated|joined|split) (?:by|with) (?:an? )?(comma|semicolon|space|dash|slash)(?:e?s)?(?: and (?:a )?space)?$/,
    (_, how: string, sign: string) => `${how === 'split' ? 'split by' : 'joined with'} ${values.texts.hide(SIGNS[sign] ?? sign)}`,
  );
