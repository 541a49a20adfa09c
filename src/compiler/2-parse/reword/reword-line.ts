// A line with a mistake, as the language would have it: what people write in other words, in signs, and in the habits of other languages. The
// rewording is only a proposal; `working-fixes.ts` compiles it in its place before anyone sees it.
import { isOwnWord } from '../../1-layout/alphabet.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Rewording } from '../../diagnostics/working-fixes.js';
import { type AroundLine, aroundLine, HiddenTexts, pattern } from './hidden-line.js';
import { rewordDeclaration } from './reword-declarations.js';
import { type Rule, rewordExpected } from './reword-expected.js';
import { reorderInput } from './reword-inputs.js';
import { singular } from './reword-lists.js';
import { inOwnNames, reorder } from './reword-order.js';
import { rewordOption, rewordStatement } from './reword-statements.js';
import { rewordKinds, rewordValues } from './reword-values.js';

/** No one writes longer lines by hand, and rewording them would take long. */
const LONGEST = 300;
/** Lines that begin so have others under them that are no statements. */
const HAS_OPTIONS = /\busing\b|^ask\b|^wait for\b/;

/** The lines that may be meant by the one with a mistake, without indentation; the likeliest first. */
export function rewordLine(text: string, diagnostic: Diagnostic): readonly Rewording[] {
  const start = text.lastIndexOf('\n', diagnostic.span.start - 1) + 1;
  const next = text.indexOf('\n', start);
  const written = text.slice(start, next === -1 ? text.length : next);
  const line = written.trim();
  if (line === '' || line.length > LONGEST || /[\ue000\ue001]/.test(line)) return [];
  const shown = (diagnostic.hint ?? '').split('\n').filter((one) => one.startsWith('    '));
  // The message already shows this very line in other words.
  if (shown.length > 1 && shown.every((one) => isAbout(one, line) && one.trim() !== line)) return [];
  const around = aroundLine(text, start);
  const indent = written.length - written.trimStart().length;
  const place = { from: diagnostic.span.start - start - indent, to: diagnostic.span.end - start - indent };
  const said = new Set<string>(diagnostic.code === 'WF020' ? [] : fromMessage(line, place, diagnostic, around));
  const meantBy = (way: Ways): readonly string[] => {
    const texts = new HiddenTexts();
    return [way(hidden(line, texts, around), texts)]
      .flat()
      .map((words) => texts.show(words).trim())
      .filter((meant) => meant !== line && keepsData(line, meant, around));
  };
  const { sure, guessed } = ways(line, around);
  for (const meant of [...sure.flatMap(meantBy), ...fromMessage(line, place, diagnostic, around)]) said.add(meant);
  const guesses = new Set<string>(guessed.flatMap(meantBy).filter((meant) => !said.has(meant)));
  const hasExample = (shown.length === 1 && shown.every((one) => isAbout(one, line))) || /^ask\b/.test(line);
  if (!hasExample)
    for (const meant of rewordExpected([line, ...said, ...guesses], rulesAt(line, around)))
      if (!said.has(meant) && keepsData(line, meant, around)) guesses.add(meant);
  // Two slips in a line: other words, and a name or a text among them.
  for (const meant of [...guesses]) {
    const texts = new HiddenTexts();
    const finished = texts.show(
      quoteWords(rewordKinds(withRequest(texts.hideAll(meant), around), { texts, around }), texts, around),
    );
    if (!said.has(finished) && keepsData(line, finished, around)) guesses.add(finished);
  }
  for (const meant of guesses) said.add(meant);
  said.delete(line);
  const isExplained =
    diagnostic.saysWhy === true ||
    (diagnostic.hint ?? '').split('\n').some((one) => one !== '' && !one.startsWith('    ') && !/:$/.test(one));
  const reason = (meant: string): string | undefined =>
    reasonOf(line, meant) ??
    // "save" was not meant as part of a call, which the message assumes.
    (diagnostic.code === 'WF049' && /^save .* (?:using|to) |^set /.test(meant) ? STATEMENT : undefined) ??
    (isExplained ? undefined : changeIn(line, meant));
  return [...said].map((meant) => ({ line: meant, reason: reason(meant), isGuess: guesses.has(meant) }));
}

/** The rules of the place at which a line stands. Cells of tables have none: a row is not matched as a line. */
function rulesAt(line: string, { section, parent }: AroundLine): readonly Rule[] {
  if (section === 'config') return ['configLine'];
  if (section === 'inputs') return ['inputLine'];
  if (section === 'services')
    return [parent === 'services:' ? 'serviceLine' : parent === 'with headers:' ? 'headerLine' : 'serviceOptionLine'];
  if (section !== 'workflow') return [];
  if (/^on failure/.test(parent)) return ['failureLine', 'statementLine'];
  if (/^look up\b/.test(parent)) return ['lookUpOptionLine'];
  if (/^wait for\b/.test(parent)) return ['messageOptionLine'];
  return isOption(line, parent) ? ['callOptionLine'] : ['statementLine'];
}

const isOption = (line: string, parent: string): boolean =>
  HAS_OPTIONS.test(parent) || (/^on failure/.test(parent) && /^(?:re)?try\b/.test(line));

type Way = (line: string, texts: HiddenTexts) => string;
type Ways = (line: string, texts: HiddenTexts) => string | string[];

/** A rewording that changes more, or guesses more, is tried later. */
function ways(line: string, around: AroundLine): { readonly sure: readonly Way[]; readonly guessed: readonly Ways[] } {
  const only = (...sure: Way[]) => ({ sure, guessed: [] });
  if (around.section === 'inputs')
    return {
      sure: [(words, texts) => rewordDeclaration(words, { texts, around })],
      guessed: [(words) => reorderInput(words) ?? []],
    };
  if (around.section !== 'workflow') return only((words, texts) => rewordDeclaration(words, { texts, around }));
  if (/^when\b/.test(line) && !around.hasTrigger) return only((words) => `trigger: ${words.replace(/:$/, '')}`);
  if (/^step \d/.test(line)) return only(() => `step ${line.slice(5).replace(/[:.)]/g, '')}:`);
  if (/^(?:branch|phase|stage|part|section|task|thread)\b.{1,60}:$/.test(line))
    return only(() => line.replace(/^\w+:? ?/, 'step '));
  if (/^trigger\b/.test(line)) return only((words) => words.replace(/^trigger:? ?(.+?):?$/, 'trigger: $1'));
  const values: Way = (words, texts) => rewordValues(words, { texts, around });
  const frame: Way = (words, texts) => (isOption(line, around.parent) ? rewordOption : rewordStatement)(words, { texts, around });
  const whole: Way = (words, texts) => {
    const framed = values(frame(words, texts), texts);
    return isOption(line, around.parent) ? framed : frame(framed, texts);
  };
  const named: Way = (words, texts) => withRequest(whole(words, texts), around);
  const quoted: Way = (words, texts) => quoteWords(rewordKinds(named(words, texts), { texts, around }), texts, around);
  const collected: Way = (words, texts) =>
    whole(words, texts).replace(pattern('^set (<name>) to \\1 plus \\[?(<value>)\\]?$'), 'add $2 to $1');
  const asRequest: Way = (words) => withRequest(words, around);
  const ofKind: Way = (words, texts) => rewordKinds(whole(words, texts), { texts, around });
  const ordered: Ways = (words, texts) => {
    const called = inOwnNames(withSubjects(words), around);
    // Braces are in free text, such as a task without quotes.
    const bases = new Set(words.includes('{') ? [words] : [words, called, inOwnNames(values(called, texts), around)]);
    const meant = [...bases].flatMap((one) => [one, ...reorder(one, { around, texts, isOption: isOption(line, around.parent) })]);
    return [...new Set(meant.flatMap((one) => [one, withRequest(one, around), named(one, texts), quoted(one, texts)]))];
  };
  return { sure: [asRequest, whole, values, frame, named, ofKind], guessed: [ordered, quoted, collected] };
}

/** `a exists and is above 3`: both are about the same. */
const withSubjects = (line: string): string =>
  line.replace(
    pattern(
      '^((?:otherwise )?if |.* where )(<path>) ((?:is|was|does|exists|contains|starts|ends)\\b.{0,200}? (?:and|or|but) )(?=(?:is|was|contains|starts|ends)\\b)',
    ),
    '$1$2 $3$2 ',
  );

/** Declared inputs without `request.` before them. */
const withRequest = (line: string, { inputs, variables }: AroundLine): string =>
  line.replace(
    pattern('(?<![A-Za-z0-9_.{\\ue000-])(<name>)(?=(?:\\.<name>){0,5}(?![A-Za-z0-9_(-]))', 'g'),
    (name: string, _, at: number) =>
      inputs.has(name) &&
      !variables.has(name) &&
      !(isOwnWord(name) && /^ (?!is\b|and\b|or\b)[\w(]/.test(line.slice(at + name.length))) &&
      !isPairName(line, at, name) &&
      !/(?:^set |\b(?:each|some|every) )$/.test(line.slice(0, at))
        ? `request.${name}`
        : name,
  );

/** Whether a name is followed by its value: `with kind room.kind`. */
const isPairName = (line: string, at: number, name: string): boolean =>
  /(?: with| and| record| where) $/.test(line.slice(0, at)) &&
  / with | using |^complete |^look up /.test(line) &&
  pattern('^ (?!and\\b|with\\b)(?:<value>|\\()').test(line.slice(at + name.length));

/** Words that nothing in the file is called, where a text can stand: `is decline`, `[Saturday, Sunday]`. */
const quoteWords = (line: string, texts: HiddenTexts, around: AroundLine): string => {
  const isWord = (name: string): boolean =>
    !isOwnWord(name) && !around.variables.has(name) && !around.inputs.has(name) && name !== 'request';
  return line
    .replace(pattern('\\bin (<name>(?:, ?(?:and |or )?<name>){1,8})(?=,? \\d+ at |:)'), (all, names: string) => {
      const each = names.split(/, ?(?:and |or )?/);
      return each.every(isWord) ? `in [${each.map((name) => texts.hide(name)).join(', ')}]` : all;
    })
    .replace(
      pattern('\\b(is|is not|contains|starts with|ends with|or) (<name>)(?= and\\b| or\\b|:|,|$|\\))', 'g'),
      (all, how: string, name: string) => (isWord(name) ? `${how} ${texts.hide(name)}` : all),
    )
    .replace(pattern('^(add) (<name>)(?= to <name>$)'), (all, how: string, name: string) =>
      isWord(name) ? `${how} ${texts.hide(name)}` : all,
    )
    .replace(pattern('\\b(is|is not) an? (<name>)(?= and\\b| or\\b|:|$)', 'g'), (all, how: string, name: string) =>
      isWord(name) ? `${how} ${texts.hide(name)}` : all,
    )
    .replace(pattern('((?: with| and) <name>) (<name>)(?= and <name> |$)', 'g'), (all, pair: string, name: string) =>
      isWord(name) && / with /.test(line) && !pair.endsWith(` ${name}`) ? `${pair} ${texts.hide(name)}` : all,
    )
    .replace(pattern('(?<=[[,] ?)(<name>)(?=,|\\])', 'g'), (name: string) => (isWord(name) ? texts.hide(name) : name))
    .replace(
      pattern('(<path>) is (<text>) or (?:an? )?(<text>|<name>)(?= and|:|$)', 'g'),
      (all, name: string, one: string, other: string) =>
        isWord(other) || texts.inner(other) !== undefined
          ? `${name} is one of [${one}, ${texts.inner(other) === undefined ? texts.hide(other) : other}]`
          : all,
    );
};

/** Without bullets, and with all hidden that is free text. */
function hidden(line: string, texts: HiddenTexts, { section, services }: AroundLine): string {
  if (section !== 'workflow') return texts.hideAll(line);
  const plain = line
    .replace(/^(?:[-*•] |\d{1,2}[.)] )/, '')
    .replace(/;$/, '')
    .replace(/^(ask (?:the )?)(\S+) (\S+)(?= to )/, (all, verb: string, one: string, other: string) =>
      services.has(`${one}-${other}`) ? `${verb}${one}-${other}` : all,
    )
    .replace(/(?<=[\w-])\[["']([\w-]{1,60})["']\]/g, '.$1');
  const [, head, question] =
    /^((?:ask|tell|request|require|let|have) (?:the |our |an? )?\S+(?: to:? |: | (?=whether|rate|decide|approve|check|look|tell|say|find|write|summarize|sort|how|whether|if|what|which)))(?!")(.+)$/.exec(
      plain,
    ) ?? [];
  const actor = byActor(plain.replace(/^(?:let|have) /, ''), services);
  if (actor !== undefined) return `ask ${actor.name} to ${texts.keep(actor.task)}`;
  return head === undefined || question === undefined
    ? texts
        .hideAll(plain)
        .replace(/\b(?:AND|OR|NOT|IF|THEN|ELSE|IS|TRUE|FALSE|[A-Z]{3,9}(?=\())\b/g, (word) => word.toLowerCase())
    : asked(head, services) + texts.keep(/^(?:how|whether|if|what|which)\b/.test(question) ? `say ${question}` : question);
}

/** `Clerks check the papers of {request.name}`, `Clerk approves it` */
function byActor(line: string, services: AroundLine['services']): { readonly name: string; readonly task: string } | undefined {
  const [, said = '', verb = '', rest = ''] =
    /^(?:the |an? |our )?(\S{1,60}) (?:must |should |has to |have to |to |please )?([a-z]{2,20})( .+|)$/.exec(line) ?? [];
  const name = called(said, services);
  if (!/^an? (?:person|team|AI)$/.test(services.get(name) ?? '') || /^(?:is|are|using|of|and|or)$/.test(verb)) return undefined;
  const infinitive = verb
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<=[^s])s$/, '');
  return { name, task: infinitive + rest };
}

/** `let the sorter ` → `ask Sorter to ` */
function asked(head: string, services: AroundLine['services']): string {
  const name = /^\S+ (?:the |our |an? )?([^\s:]+)/.exec(head)?.[1] ?? '';
  return `ask ${called(name, services)} to `;
}

/** The service that is meant: `the sorters`. */
const called = (name: string, services: AroundLine['services']): string =>
  [...services.keys()].find((one) => one.toLowerCase() === name.toLowerCase() || `${one}s` === name) ?? name;

/** Corrections that follow from the mistake itself: the name of an input, a value that a table needs. */
function fromMessage(
  line: string,
  { from, to }: { readonly from: number; readonly to: number },
  { code, lacks }: Diagnostic,
  { inputs, variables }: AroundLine,
): string[] {
  const put = (words: string): string => line.slice(0, from) + words + line.slice(to);
  const written = line.slice(from, to);
  const known = (name: string): string | undefined =>
    inputs.has(name) ? `request.${name}` : variables.has(name) ? name : undefined;
  const input = inputs.has(written.split('.')[0] ?? written) ? [put(`request.${written}`)] : [];
  return [
    ...(code === 'WF020' ? input : []),
    ...(lacks === undefined || known(lacks) === undefined ? [] : [`${line} and ${lacks} ${known(lacks)}`]),
  ];
}

const UNIT = /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/;

/** Whether an example has no names, units and numbers but those of the line. */
export function isAbout(example: string, line: string): boolean {
  const said = new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
  return (example.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).every(
    (word) => said.has(word) || (isOwnWord(word) && !UNIT.test(word)),
  );
}

const DENIES = /\b(?:nobody|none|never|nothing|neither|unless|no (?:one|\w+ (?:is|are|has|have)))\b/;

const withoutTexts = (line: string): string => line.replace(/"[^"]*"/g, '""');

/** Whether nothing that the line is about is lost: the names that the file has elsewhere. */
function keepsData(
  line: string,
  meant: string,
  { variables, services, inputs, fields, declared, origins, choices, parent }: AroundLine,
): boolean {
  if (/^skip\b/.test(line)) return true;
  // `is above two months` is no 2 of days, and 2 hours are no 2 days.
  const units = (words: string): readonly string[] => words.match(/(?:second|minute|hour|day|week|month|year)(?=s?\b)/g) ?? [];
  const isOther =
    units(line).some((one) => !units(meant).includes(one)) && units(meant).some((one) => !units(line).includes(one));
  if (isOther && !/\bhalf\b/.test(line)) return false;
  if (DENIES.test(withoutTexts(line)) && !/\b(?:not|no|nothing|empty|false)\b/.test(withoutTexts(meant))) return false;
  // A record is no text: its field is meant.
  for (const [, name = ''] of meant.matchAll(/(?<![\w-])([\w-]+) is (?:not )?"/g))
    if ([...declared.keys()].some((path) => path.startsWith(`${name}.`))) return false;
  // What is divided and multiplied again was not meant so.
  if (/ divided by (count of \S+) times \1/.test(meant)) return false;
  // No item is its own list.
  if (/\b(?:each|some|every) (\S{1,60}) in \1\b/.test(meant)) return false;
  const said = new Set(meant.match(/[\p{L}\p{N}_-]+/gu)?.flatMap((word) => [word, ...word.split(/[-_]/)]) ?? []);
  const isKnown = (word: string): boolean =>
    word !== 'list' &&
    (variables.has(word) ||
      // Who is asked stands above already.
      (services.has(word) && !parent.startsWith(`ask ${word} `)) ||
      inputs.has(word) ||
      fields.has(word) ||
      (choices.has(word) && !isOwnWord(word)));
  // `no items`, `total litres in`, `the farm is organic`: words around what is meant.
  const rest = (isOption(line, parent) ? line.replace(/^[a-z]+ /, '') : line)
    .replace(
      /\b(?:the|each|every|all|some|any) ([\w-]{1,60}) (?=(?:in|of|from|among) ([\w.-]{1,99}))/g,
      (all, item: string, list: string) =>
        [list, origins.get(list) ?? list].some((one) => item === singular(one)) || item === 'item' ? '' : all,
    )
    .replace(/(?<=\d )(?:working )?(?:hour|day|week|month|year)s?\b|(?<=\bage )of the [\w-]{1,60}/g, '')
    .replace(/\b(?:the|an?|no|\d+|more) [\w-]{1,60} (?=(?:is|are|was|has|have|needs|wants)\b)/g, '')
    .replace(/\b(?:no|any) items\b|\btotal (?=[\w-]+ (?:in|of) )|\bthe [a-z]+est\b/g, '')
    .replace(/(?<![\w-])[\w-]{1,60} (?=is (?:not )?([\w-]{1,60})\b)/g, (subject, field: string) =>
      inputs.get(field)?.startsWith('yes or no') === true && !choices.has(subject.trim()) ? '' : subject,
    );
  return (rest.match(/[\p{L}\p{N}_-]+/gu) ?? []).every(
    (word) => !isKnown(word) || said.has(word) || said.has(`${word}s`) || said.has(`${word}ed`) || said.has(singular(word)),
  );
}

const quotesIn = (line: string): number => line.match(/"/g)?.length ?? 0;

/** The reason for the correction, where the message may assume another. */
function reasonOf(line: string, meant: string): string | undefined {
  const bare = (words: string): string => words.replace(/["{}]/g, '');
  if (quotesIn(meant) > quotesIn(line) && bare(meant) === bare(line)) return 'Put text, addresses and dates in quotes.';
  if (quotesIn(meant) < quotesIn(line) && bare(meant) === bare(line)) return 'This value has no quotes.';
  if (/\bwith\b/.test(meant) && /[:,]|=/.test(line) && !/[:,=]/.test(meant))
    return 'After "with", a value follows its name, without a colon; "and" joins the pairs.';
  if (/\bwith\b/.test(meant) && meant.startsWith(`${line.split(' with ')[0]} with `) && meant.length > line.length)
    return 'After "with", each value needs a name before it.';
  if (/[^:]$/.test(line) && meant === `${line}:`) return 'A line that opens a block ends with a colon (:).';
  return undefined;
}

const STATEMENT = 'To give a name a value, write "set"; to write a file, name its service after "using".';

/** Words of a change that is told; a longer one is seen better in the line itself. */
const MOST_CHANGED = 4;

/** Which words the line has in place of others, if that is one change. */
function changeIn(line: string, meant: string): string | undefined {
  const parts = (words: string): string[] => words.match(/"[^"]*"|[^\s,:()[\]]+|[,:()[\]]/g) ?? [];
  const [from, to] = [parts(line), parts(meant)];
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const [old, now] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  if (old.length > MOST_CHANGED || now.length > MOST_CHANGED) return undefined;
  const said = (all: readonly string[]): string =>
    all
      .join(' ')
      .replace(/ (?=[,:)\]])/g, '')
      .replace(/(?<=[([]) /g, '');
  const [left, put] = [said(old), said(now)];
  if (left === '') return put === '' || put.includes('"') ? undefined : `"${put}" is missing.`;
  if (left.includes('"') || put.includes('"')) return undefined;
  return put === '' ? `Leave out "${left}".` : `Write "${put}" instead of "${left}".`;
}
