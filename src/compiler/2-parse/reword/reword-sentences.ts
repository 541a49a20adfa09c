// Sentences that mean a line of the language: `the sum of a and b`, `all boats that are heavy`, `in 3 days`. A small grammar of English, whose
// sentences are in one another: what stands in a slot is read by the same rules.
import { isOwnWord } from '../../1-layout/alphabet.js';
import type { AroundLine, HiddenTexts } from './hidden-line.js';
import { IN_DIGITS } from './reword-amounts.js';
import { SENTENCES, WORDS } from './reword-english.js';
import { singular } from './reword-lists.js';
import { spokenName } from './reword-nouns.js';
import { ARTICLE, HIDDEN_TEXT, lineOf, NAME_WORD, NUMERAL, plainTokens, splitLine, TIME_UNIT } from './reword-tokens.js';

const SMALL: ReadonlySet<string> = new Set(['then', 'please', 'just', 'also', 'simply', 'now']);

/** What the words from one on to another mean. */
interface Reading {
  readonly end: number;
  readonly said: string;
  /** Made by a sentence, so that it differs from what is written. */
  readonly isMade: boolean;
  /** Ends with an operand: more of them may follow. */
  readonly isOpen?: boolean;
  readonly cost: number;
}

/** What fills a slot, with what it says of other slots. */
interface SlotReading extends Reading {
  readonly slots: ReadonlyMap<string, string>;
}

/** Slots by their letters, and where their words end. */
interface Match {
  readonly end: number;
  readonly slots: ReadonlyMap<string, string>;
  readonly cost: number;
}

interface Rule {
  readonly words: readonly Word[];
  readonly meant: string;
}

/** A slot, or a word of which there may be several. */
interface Word {
  readonly slot: string;
  readonly said: readonly string[];
  readonly isOptional: boolean;
}

/** The sentences of a kind; those that begin with themselves are told by the kind in capitals. */
const RULES = new Map<string, Rule[]>();
for (const [kind, said, meant] of SENTENCES) {
  const words = said.split(' ').map((one) => ({
    slot: one.startsWith('$') ? one : '',
    said: one.replace('?', '').split('|'),
    isOptional: one.endsWith('?'),
  }));
  const key = words[0]?.slot === `$${kind}` ? kind.toUpperCase() : kind;
  RULES.set(key, [...(RULES.get(key) ?? []), { words, meant }]);
}
const NONE: ReadonlyMap<string, string> = new Map();
/** Readings of one kind from one word on. */
const MOST_READINGS = 16;
const IS_COMPOUND = / (?:plus|minus|times|divided by|rounded|for each|where|joined|sorted) /;
const OF_DATES: Readonly<Record<string, string>> = {
  above: 'after',
  below: 'before',
  'at least': 'on or after',
  'at most': 'on or before',
};

/** Words of a sentence, and dotted names. */
const NO_FIELD = /^(?:the|an?|is|are|not|at|has|have|above|below|between|one|before|after|empty|in|of)$|\./;

/** Slots that are read by the sentences of a kind. */
const PARTS: Readonly<Record<string, string>> = { v: 'v', w: 'v', g: 'v', c: 'c', h: 'c' };
/** Slots for names of the file, by what is declared of them. */
const NAMES: Readonly<Record<string, (kind: string) => boolean>> = {
  n: () => true,
  l: (kind) => kind === '' || kind.startsWith('a list'),
  D: (kind) => /^a (?:date|time)/.test(kind),
  N: (kind) => kind.includes('number'),
  y: (kind) => kind.startsWith('yes or no'),
};

const shareOf = (percent: string): string => String(Number((Number(percent) / 100).toPrecision(12)));

class Reader {
  readonly #known = new Map<string, readonly Reading[]>();
  readonly #named = new Map<number, readonly Reading[]>();
  readonly #scopes = new Map<string, Reader>();

  constructor(
    private readonly tokens: readonly string[],
    private readonly around: AroundLine,
    private readonly texts: HiddenTexts,
    /** The item whose fields need no name before them, and its list. */
    private readonly scope: readonly [item: string, list: string] | undefined = undefined,
  ) {}

  /** What a part of the line means, the likeliest first; made by the sentences of its kind. */
  read(kind: string, from: number): readonly Reading[] {
    const key = `${kind}${from}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // What begins with itself is read below, from the readings that it has.
    this.#known.set(key, []);
    const found = kind === 'v' ? [...this.#operands(from)] : [];
    for (const { words, meant } of RULES.get(kind) ?? [])
      for (const match of this.#match(words, 0, { end: from, slots: NONE, cost: 1 })) this.#put(found, match, meant);
    for (let index = 0; index < found.length && found.length < MOST_READINGS; index++) {
      const { end, said, cost } = found[index] ?? { end: 0, said: '', cost: 0 };
      const before = { end, slots: new Map([[`$${kind}`, said]]), cost: cost + 1 };
      for (const { words, meant } of RULES.get(kind.toUpperCase()) ?? [])
        for (const match of this.#match(words, 1, before)) this.#put(found, match, meant, true);
    }
    found.sort((one, other) => one.cost - other.cost);
    this.#known.set(key, found);
    return found;
  }

  /** The name that has the chosen text, read of the item if the sentence is about one: `request.boats.kind` → `boat.kind`. */
  #ofItem(slots: ReadonlyMap<string, string>): string {
    const [path = '', list = '', item = ''] = ['$p', '$l', '$i'].map((slot) => slots.get(slot) ?? '');
    const { origins } = this.around;
    const root = origins.get(list) ?? list;
    const owner = path.slice(0, path.indexOf('.'));
    if (item === '') return path;
    return path.startsWith(`${root}.`)
      ? item + path.slice(root.length)
      : origins.get(owner) === root
        ? item + path.slice(owner.length)
        : path;
  }

  #put(found: Reading[], { end, slots, cost }: Match, meant: string, isOpen = false): void {
    // `less than 3 days ago` is later.
    if (/ \$B /.test(meant) && this.tokens[end - 1] === 'ago') return;
    const isProduct = / (?:times|divided|percent) /.test(meant) || /^[td]/.test(slots.get('$A') ?? '');
    const said = meant
      .replace(/\$\w/g, (slot) => {
        const words = slot === '$p' ? this.#ofItem(slots) : (slots.get(slot) ?? '');
        return (/[goO]/.test(slot) && IS_COMPOUND.test(words) && !/^\([^()]*\)$/.test(words)) ||
          (isProduct && slot === '$v' && / (?:plus|minus) /.test(words))
          ? `(${words})`
          : words;
      })
      .replace(/\bnot \(([\w.-]+)\)/, 'not $1')
      .replace(/^(\S+) is (above|below|at least|at most) (?=(\S+))/, (all, left: string, way: string, right: string) =>
        this.#isDate(left) || this.#isDate(right) ? `${left} is ${OF_DATES[way]} ` : all,
      );
    if (found.length < 2 * MOST_READINGS && !found.some((one) => one.end === end && one.said === said))
      found.push({ end, said, isMade: true, isOpen, cost });
  }

  #isDate(name: string): boolean {
    return name === 'today' || name === 'now' || /^a (?:date|time)\b/.test(this.#declared(name) ?? '');
  }

  /** What is declared of a name, or of a field of the item. */
  #declared(name: string): string | undefined {
    const [item = '', list = ''] = this.scope ?? [];
    const path = item !== '' && name.startsWith(`${item}.`) ? list + name.slice(item.length) : name;
    return this.around.declared.get(path);
  }

  /** The ways in which the words of a sentence from one on can be read, after those before. */
  #match(words: readonly Word[], at: number, before: Match): readonly Match[] {
    const word = words[at];
    if (word === undefined) return [before];
    const { end, slots, cost } = before;
    if (word.slot !== '') {
      if (at === 0 && SMALL.has(this.tokens[end] ?? '')) return [];
      return this.#slot(word.slot.charAt(1), end, slots).flatMap((one) => {
        const found = new Map([...slots, ...one.slots, [word.slot, one.said]]);
        const isOther = [...one.slots].some(([name, value]) => (slots.get(name) ?? value) !== value);
        return isOther ? [] : this.#match(words, at + 1, { end: one.end, slots: found, cost: cost + one.cost });
      });
    }
    const taken = word.said.includes((this.tokens[end] ?? '').toLowerCase())
      ? this.#match(words, at + 1, { end: end + 1, slots, cost })
      : [];
    return word.isOptional ? [...taken, ...this.#match(words, at + 1, before)] : taken;
  }

  #slot(kind: string, from: number, slots: ReadonlyMap<string, string>): readonly SlotReading[] {
    const all = (readings: readonly Reading[]) => readings.map((reading) => ({ ...reading, slots: new Map<string, string>() }));
    const part = PARTS[kind];
    if (part !== undefined) return all(this.read(part, from));
    const fits = NAMES[kind];
    if (fits !== undefined) {
      const many = `${this.tokens[from]}s`;
      const list = { end: from + 1, said: `request.${many}`, isMade: false, cost: 0 };
      return all([
        ...this.#names(from).filter(({ said }) => fits(this.#declared(said) ?? '')),
        ...(kind === 'l' && this.around.inputs.has(many) ? [list] : []),
      ]);
    }
    switch (kind) {
      case 'o':
      case 'O':
        return all([...this.#operands(from), ...this.read('v', from).filter(({ isMade, isOpen }) => isMade && isOpen !== true)]);
      case 'C':
        return all(this.#scoped(slots.get('$i') ?? '', slots.get('$l') ?? '').read('c', from));
      case 'X':
        return this.#withItems(from);
      case 'e':
        return this.#items(from);
      case 'q':
        return this.#choices(from);
      case 'f':
        return this.#fields(from);
      case 'j':
        return this.#fields(from).filter(({ said }) => this.around.fields.has(said));
      case 'a':
        return all(this.#names(from).flatMap((one) => this.#ageOf(one)));
      case 'd':
        return this.#spans(from);
      default: {
        const [said, end = from + 1] = this.#word(kind, from, this.tokens[from] ?? '') ?? [];
        return said === undefined ? [] : all([{ end, said, isMade: false, cost: 0 }]);
      }
    }
  }

  /** What a slot of few words says, and where they end if it is several. */
  #word(kind: string, from: number, token: string): readonly [said: string, end?: number] | undefined {
    const next = this.tokens[from + 1] ?? '';
    const only = (fits: boolean, said = token) => (fits ? ([said] as const) : undefined);
    switch (kind) {
      case 'z':
        return only([...this.around.services.keys()].some((name) => name.toLowerCase() === token.toLowerCase()));
      case 'b':
        return only(COMPARISON.test(token), token === 'are' ? 'is' : token.replace(/[^s]$/, '$&s'));
      case 'x':
        return only(NAME_WORD.test(token) && !ARTICLE.test(token) && !this.around.services.has(token));
      case 'k':
        return IN_DIGITS.includes(token)
          ? [String(IN_DIGITS.indexOf(token))]
          : only(NUMERAL.test(token) || (NAME_WORD.test(token) && this.around.variables.has(token)));
      case 'm':
        return only(NUMERAL.test(token));
      case 'Y':
      case '1':
        if (HIDDEN_TEXT.test(token)) return [token];
        return only(
          /^[a-z]+$/i.test(token) && !isOwnWord(token) && !this.around.variables.has(token) && !this.around.inputs.has(token),
          this.texts.hide(token),
        );
      case '2': {
        const one = singular(token);
        return only(one !== token && this.around.fields.has(one), one);
      }
      case 'u':
        if (TIME_UNIT.test(token)) return [token];
        return /^(?:working|business|work)$/.test(token) && TIME_UNIT.test(next) ? [`working ${next}`, from + 2] : undefined;
      case 'P':
        return NUMERAL.test(token) && next === 'percent' ? [shareOf(token), from + 2] : undefined;
      case 't':
        return only(HIDDEN_TEXT.test(token));
      case 'T':
        return only(/^\d{1,2}:\d\d$/.test(token));
      case 'r': {
        const end = this.tokens.at(-1) === ':' ? this.tokens.length - 1 : this.tokens.length;
        return end > from ? [lineOf(this.tokens.slice(from, end)), end] : undefined;
      }
      default: {
        const found = Object.entries(WORDS[kind] ?? {}).find(([, words]) => words.split('|').includes(token.toLowerCase()));
        return found === undefined ? undefined : [found[0]];
      }
    }
  }

  /** The age of what a name stands for, if the file knows one. */
  #ageOf(one: Reading): readonly Reading[] {
    const { declared, variables, origins } = this.around;
    const field = `${one.said}.age`;
    if (declared.has(field)) return [{ ...one, said: field }];
    if (variables.has('age')) return [{ ...one, said: 'age' }];
    for (const owner of [one.said, origins.get(one.said) ?? '', 'request'])
      for (const born of ['birth-date', 'birthday', 'birth', 'born'])
        if (declared.has(`${owner}.${born}`))
          return [{ ...one, said: `years from ${owner === 'request' ? owner : one.said}.${born} to today` }];
    return [];
  }

  #names(from: number): readonly Reading[] {
    const known = this.#named.get(from);
    if (known !== undefined) return known;
    const found = spokenName(this.tokens, from, this.around, this.scope).map(({ end, name, cost }) => ({
      end,
      said: name,
      isMade: false,
      cost,
    }));
    this.#named.set(from, found);
    return found;
  }

  /** Values without an operator. */
  #operands(from: number): readonly Reading[] {
    const token = this.tokens[from] ?? '';
    const one = (said: string, end = from + 1): Reading => ({ end, said, isMade: said !== token, cost: 0 });
    if (HIDDEN_TEXT.test(token) || /^(?:today|now|true|false|empty)$/.test(token)) return [one(token)];
    const digits = IN_DIGITS.indexOf(token);
    if (NUMERAL.test(token) || digits > -1) {
      const number = digits === -1 ? token : String(digits);
      const next = this.tokens[from + 1] ?? '';
      if (next === 'of') return [];
      if (next === 'percent')
        return this.tokens[from + 2] === 'of'
          ? this.read('v', from + 3)
              .filter(({ isOpen }) => isOpen !== true)
              .map(({ end, said }) => one(`${number} percent of ${said}`, end))
          : [];
      const after = this.tokens[from + 2] ?? '';
      const isMeasured = TIME_UNIT.test(next)
        ? !/^(?:ago|from|after|before|since|away|later|earlier)$/.test(after)
        : /^[a-z]{1,8}$/i.test(next) && !isOwnWord(next);
      return [one(number), ...(isMeasured ? [{ ...one(number, from + (after === 'old' ? 3 : 2)), cost: 1 }] : [])];
    }
    if (token === '(')
      return this.read('v', from + 1).flatMap(({ end, said }) => (this.tokens[end] === ')' ? [one(`(${said})`, end + 1)] : []));
    return this.#names(from);
  }

  /** Amounts of time: `3 days`, `half an hour`, `days days`. */
  #spans(from: number): SlotReading[] {
    const [token = '', next = '', third = '', last = ''] = this.tokens.slice(from, from + 5).filter((one) => one !== 'of');
    const slots: ReadonlyMap<string, string> = new Map();
    const one = (said: string, end: number) => [{ end, said, isMade: true, cost: 0, slots }];
    if (/^(?:an?|one|the)$/.test(token)) {
      if (next === 'quarter' && third === 'an' && last === 'hour') return one('15 minutes', from + 5);
      if (TIME_UNIT.test(next)) return one(`1 ${next}`, from + 2);
    }
    if (token === 'half' && next === 'an' && third === 'hour') return one('30 minutes', from + 3);
    const unit = `request.${token}`;
    if (TIME_UNIT.test(token) && /number/.test(this.around.declared.get(unit) ?? '')) return one(`${unit} ${token}`, from + 1);
    return this.#slot('k', from, slots).flatMap(({ end, said }) =>
      this.#slot('u', end, slots).map((units) => ({ ...units, said: `${said} ${units.said}`, isMade: true })),
    );
  }

  /** Texts that a name can have, without or with quotes. */
  #choices(from: number): SlotReading[] {
    const found = [];
    for (let count = 1; count <= 3; count++) {
      const token = this.tokens[from] ?? '';
      const said = (count === 1 ? this.texts.inner(token) : undefined) ?? this.tokens.slice(from, from + count).join(' ');
      // `if the manager approves`
      const words = [said, said.replace(/s$/, ''), said.replace(/d$/, ''), said.replace(/e[sd]$/, '')].find((one) =>
        this.around.choices.has(one),
      );
      for (const path of this.around.choices.get(words ?? '') ?? []) {
        const [item, list] = this.scope ?? [...this.around.origins].find(([, of]) => path.startsWith(`${of}.`)) ?? ['', ''];
        const isAll = this.scope === undefined && this.around.declared.get(item) === 'a list';
        const name = list === '' || isAll ? path : path.replace(`${list}.`, `${item}.`);
        found.push({
          end: from + count,
          said: this.texts.hide(words ?? ''),
          isMade: true,
          cost: 0.5,
          slots: new Map([['$p', name]]),
        });
      }
    }
    return found;
  }

  /** Fields of items. */
  #fields(from: number): SlotReading[] {
    const found = [];
    for (let count = 3; count > 0; count--) {
      const said = this.tokens.slice(from, from + count).join('-');
      if (this.around.fields.has(said) || (count === 1 && NAME_WORD.test(said) && !NO_FIELD.test(said)))
        found.push({ end: from + count, said, isMade: false, cost: 0, slots: new Map() });
    }
    return found;
  }

  /** Items of a list: `boats`, `boats in request.boats`, `the boat` beside a list `boats`. */
  #items(from: number): SlotReading[] {
    const { tokens, around } = this;
    const found = (end: number, item: string, list: string, cost = 0) => ({
      end,
      said: '',
      isMade: false,
      cost,
      slots: new Map([
        ['$l', list],
        ['$i', singularOf(item) === list ? 'item' : singularOf(item)],
      ]),
    });
    const name = tokens[from] ?? '';
    if (!NAME_WORD.test(name) || isOwnWord(name)) return [];
    const link = /^(?:in|of|from|among)$/.test(tokens[from + 1] ?? '') ? from + 2 : -1;
    const at = ARTICLE.test(tokens[link] ?? '') ? link + 1 : link;
    const owner = tokens[at] ?? '';
    if (link !== -1 && isList(owner, around)) return [found(at + 1, name, owner)];
    const ofRequest = link !== -1 && owner === 'request' ? at + 1 : from + 1;
    const list = [name, `${name}s`].find(
      (one) =>
        one !== around.origins.get(name) &&
        isList(one, around) &&
        !(around.origins.has(one) && around.declared.get(one) !== 'a list'),
    );
    const origin = around.origins.get(name);
    // `the due animals`, where `due` is some of the animals.
    if (origin !== undefined && (origin.split('.').pop() ?? '') === tokens[from + 1])
      return [found(from + 2, origin.split('.').pop() ?? '', name)];
    return [
      ...(list === undefined ? [] : [found(ofRequest, list.split('.').pop() ?? list, list)]),
      ...this.#names(from)
        .filter(({ said }) => said !== list && (around.declared.get(said) ?? '').startsWith('a list'))
        .map(({ end, said, cost }) => found(end, said.split('.').pop() ?? said, said, cost)),
    ];
  }

  /** What is made of the fields of items that are named later: `price times pieces of all cakes`. */
  #withItems(from: number): SlotReading[] {
    return this.tokens.flatMap((_, at) =>
      at <= from
        ? []
        : this.#items(at).flatMap(({ slots }) =>
            this.#scoped(slots.get('$i') ?? '', slots.get('$l') ?? '')
              .read('v', from)
              .filter(({ end, said }) => end < at && said.includes(`${slots.get('$i')}.`))
              .map((reading) => ({ ...reading, slots })),
          ),
    );
  }

  #scoped(item: string, list: string): Reader {
    const known = this.#scopes.get(list);
    const scoped = known ?? new Reader(this.tokens, this.around, this.texts, [item, list]);
    this.#scopes.set(list, scoped);
    return scoped;
  }
}

const isList = (token: string, { variables, inputs }: AroundLine): boolean =>
  token.includes('.') || variables.has(token) || inputs.has(token);

/** `is` and `are`, `starts` and `start`: what a comparison begins with. */
const COMPARISON = /^(is|are|start|end|contain)s?$/;

/** The line with a sentence in the words of the language, for each sentence that it has. */
export function sentencesIn(line: string, around: AroundLine, texts: HiddenTexts): string[] {
  const tokens = plainTokens(line);
  const reader = new Reader(tokens, around, texts);
  const whole = reader.read('s', 0).filter(({ end }) => end === tokens.length);
  // `set many to orders below 100` is about a list.
  const isSet = tokens[0] === 'set' && !tokens.includes('is') && !tokens.includes('are');
  const parts = tokens.flatMap((_, from) =>
    [...reader.read('v', from), ...reader.read('c', from)]
      .filter(
        ({ isMade, end, said }) =>
          !(isSet && / is (?:above|below) /.test(said)) &&
          isMade &&
          end > from + 1 &&
          !(tokens[from - 1] === 'than' && tokens[end - 1] === 'ago'),
      )
      .sort((one, other) => other.end - one.end || one.cost - other.cost)
      .slice(0, 3)
      .map(({ end, said }) => lineOf([...tokens.slice(0, from), said, ...tokens.slice(end)])),
  );
  return [...whole.map(({ said }) => lineOf(splitLine(said))), ...parts];
}

const singularOf = (name: string): string => (singular(name) === 'item' ? name : singular(name));
