// Generates a workflow from a seed and a number of lines. It has no errors or warnings, and hardly two lines are alike: it uses every kind
// of statement, and names, texts and expressions of many lengths. The same seed always produces the same text.

/** Random whole numbers below a limit (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const nouns =
  'order customer invoice item shipment total price discount weight stock region budget rate score limit share amount count balance fee refund deposit margin quota'.split(
    ' ',
  );
const qualities =
  'first open net gross late early local final daily weekly paid pending average special regular minimum largest spare agreed'.split(
    ' ',
  );
const verbs = 'get fetch find create send update notify verify record delete charge review publish remove'.split(' ');

const HEAD = [
  'config:',
  '    name: "Varied"',
  '    version: 1',
  '',
  'services:',
  '    Shop is an API at "https://shop.example/v2"',
  '        with timeout 20 seconds',
  '    Alerts is a webhook at "https://alerts.example/in"',
  '    Analyst is an AI using "openai/gpt-5"',
  '',
  'workflow:',
  '    trigger: when something happens',
  '',
];
const TAIL = [
  '    create closing-order using Shop at "/closing" with reason "end"',
  '    notify team using Alerts with text "done"',
  '    ask Analyst to say good-bye',
  '    complete with done true',
];

/** @param lines at least 30 */
export function variedProgram(seed, lines) {
  const writer = new Writer(createRandom(seed), lines - TAIL.length);
  while (writer.room > 0) writer.step();
  return `${[...writer.lines, ...TAIL].join('\n')}\n`;
}

class Writer {
  lines = [...HEAD];
  #depth = 1;
  #names = 0;
  #steps = 0;
  /** Names that are certainly set here, by type. */
  #known = { number: [], text: [], list: [] };

  constructor(random, last) {
    this.random = random;
    this.last = last;
  }

  get room() {
    return this.last - this.lines.length;
  }

  #write(line) {
    this.lines.push(`${'    '.repeat(this.#depth)}${line}`);
  }

  #pick = (list) => list[this.random(list.length)];

  #newName() {
    const form = this.random(3);
    const noun = this.#pick(nouns);
    const name = form === 0 ? `${noun}-${this.#pick(nouns)}` : form === 1 ? `${this.#pick(qualities)}_${noun}` : noun;
    return `${name}${++this.#names}`;
  }

  /** One of the latest names of this type; without any, a literal. */
  #old(kind, otherwise) {
    const names = this.#known[kind];
    return names.length === 0 ? otherwise : names[Math.max(0, names.length - 1 - this.random(20))];
  }

  #number = () =>
    this.random(3) === 0
      ? this.#old('number', '7')
      : this.random(4) === 0
        ? `${this.random(900)}.${1 + this.random(98)}`
        : String(this.random(5000));

  #sum() {
    const operators = this.random(2) === 0 ? ['plus', 'minus'] : ['times', 'divided by'];
    let text = this.#number();
    for (let count = this.random(4); count > 0; count--) text += ` ${this.#pick(operators)} ${1 + this.random(700)}`;
    return this.random(5) === 0 ? `${text} rounded to ${this.random(4)} places` : text;
  }

  #text() {
    const words = Array.from({ length: 1 + this.random(7) }, () =>
      this.random(2) === 0 ? this.#pick(nouns) : this.#pick(qualities),
    );
    if (this.random(2) === 0) words.push(`{request.${this.#pick(nouns)}.${this.#pick(qualities)}}`);
    if (this.random(2) === 0) words.push(`{${this.#old('number', 'request.id')}}`);
    return `"${words.join(' ')}"`;
  }

  #condition() {
    const one = () => {
      const kind = this.random(6);
      if (kind === 0) return `request.${this.#pick(nouns)} is not empty`;
      if (kind === 1)
        return `${this.#old('text', 'request.name')} ${this.#pick(['contains', 'starts with', 'is not'])} "${this.#pick(nouns)}"`;
      if (kind === 2) return `${this.#old('number', 'request.size')} is between ${this.random(50)} and ${50 + this.random(500)}`;
      if (kind === 3) return `request.${this.#pick(qualities)} is one of ["${this.#pick(nouns)}", ${this.random(90)}, true]`;
      return `${this.#old('number', 'request.size')} is ${this.#pick(['above', 'below', 'at least', 'at most'])} ${this.#sum()}`;
    };
    if (this.random(3) > 0) return one();
    const word = this.#pick(['and', 'or']);
    return `${one()} ${word} ${one()}${this.random(3) === 0 ? ` ${word} not ( ${one()} )` : ''}`;
  }

  /** Names set in a block are not available after it. */
  #block(statements) {
    const before = this.#known;
    this.#known = { number: [...before.number.slice(-25)], text: [...before.text.slice(-25)], list: [...before.list.slice(-25)] };
    this.#depth++;
    for (let count = statements; count > 0; count--) this.#statement();
    this.#depth--;
    this.#known = before;
  }

  #set(kind, value) {
    const reused = this.random(4) === 0 && this.#known[kind].length > 0;
    const name = reused ? this.#old(kind) : this.#newName();
    this.#write(`set ${name} to ${value}`);
    if (!reused) this.#known[kind].push(name);
  }

  step() {
    if (this.room === 1) return this.#write(`log ${this.#text()}`);
    this.#write(`step ${this.#pick(verbs)} ${this.#pick(qualities)} ${this.#pick(nouns)} ${++this.#steps}:`);
    this.#depth++;
    this.#write(`log ${this.#text()}`);
    for (let count = 12 + this.random(20); count > 0 && this.room > 0; count--) this.#statement();
    this.#depth--;
  }

  #statement() {
    // No block this close to the end, which it could run past.
    const kind = this.room > 24 && this.#depth < 5 ? this.random(20) : this.random(11);
    if (this.room <= 0) return;
    if (kind < 4) this.#set('number', this.#sum());
    else if (kind < 7)
      this.#set(
        'text',
        this.#pick([() => this.#text(), () => `${this.#pick(['uppercase of', 'lowercase of', 'trimmed'])} ${this.#text()}`])(),
      );
    else if (kind === 7) this.#set('list', `[${this.#number()}, ${this.#text()}, request.${this.#pick(nouns)}]`);
    else if (kind === 8 && this.#known.list.length > 0) this.#write(`add ${this.#sum()} to ${this.#old('list')}`);
    else if (kind < 11) this.#write(`log ${this.#text()}`);
    else if (kind < 14) this.#branches();
    else if (kind < 16) this.#loop();
    else if (kind === 16) this.#ask();
    else this.#call();
  }

  #branches() {
    this.#write(`if ${this.#condition()}:`);
    this.#block(1 + this.random(2));
    if (this.random(3) === 0 && this.room > 12) {
      this.#write(`otherwise if ${this.#condition()}:`);
      this.#block(1);
    }
    if (this.random(2) === 0 && this.room > 12) {
      this.#write('otherwise:');
      this.#block(1);
    }
  }

  #loop() {
    const item = this.#newName();
    this.#write(`for each ${item} in ${this.#old('list', `request.${this.#pick(nouns)}`)}:`);
    this.#depth++;
    this.#write(`log "{${item}} of ${this.#pick(nouns)}"`);
    this.#depth--;
    this.#block(1 + this.random(2));
  }

  #ask() {
    this.#write(
      `ask Analyst to ${this.#pick(verbs)} this ${this.#pick(nouns)} in ${1 + this.random(9)} lines: {request.${this.#pick(nouns)}}`,
    );
    this.#answer('text');
  }

  #call() {
    const phrase = `${this.#pick(verbs)} ${this.#pick(qualities)} ${this.#pick(nouns)}`;
    const pairs = `with ${this.#pick(nouns)} ${this.#sum()} and ${this.#pick(qualities)} ${this.#text()}`;
    if (this.random(4) === 0) this.#write(`${phrase} using Alerts ${pairs}`);
    else
      this.#write(
        `${phrase} using Shop at "/${this.#pick(nouns)}s/{request.${this.#pick(nouns)}}/${this.#pick(qualities)}" ${pairs}`,
      );
    this.#answer('text');
  }

  /** The lines under a call. The failure sets what the success would have saved, so it is set on every path. */
  #answer(kind) {
    const name = this.#newName();
    this.#depth++;
    this.#write(`save the result as ${name}`);
    this.#write('on failure:');
    this.#depth++;
    this.#write(`retry ${1 + this.random(5)} times waiting ${1 + this.random(9)} seconds`);
    this.#write('if still failing:');
    this.#depth++;
    this.#write(`set ${name} to ${this.#text()}`);
    this.#depth -= 3;
    this.#known[kind].push(name);
  }
}
