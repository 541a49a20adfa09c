// A text that `JSON.parse` refuses → where the fault is and what is wrong, in plain words. Its own file: V8's own messages
// differ from version to version and sometimes lack the place. Goes through the text without recursion, so that no nesting can
// overflow it.

export interface JsonFault {
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  /** A whole sentence without the place. */
  readonly message: string;
}

/** The first fault of the text from `start` on. A text without a fault is reported as one that cannot be read. */
export function jsonFault(text: string, start: number): JsonFault {
  const reader = new FaultReader(text, start);
  return reader.read() ?? { offset: start, message: 'The text cannot be read as JSON.' };
}

/** What may stand next. `first…` means directly after the opening bracket, where it may close again at once. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'end of value';

class FaultReader {
  readonly #text: string;
  #index: number;
  /** The opening brackets around the current place. */
  readonly #open: ('{' | '[')[] = [];

  constructor(text: string, start: number) {
    this.#text = text;
    this.#index = start;
  }

  read(): JsonFault | undefined {
    let expected: Expected = 'value';
    for (;;) {
      this.#skipSpace();
      if (expected === 'end of value' && this.#open.length === 0) {
        return this.#atEnd()
          ? undefined
          : this.#fault(`Nothing may follow the end of the JSON value, but ${this.#found()} does.`);
      }
      const next: Expected | JsonFault = this.#step(expected);
      if (typeof next !== 'string') return next;
      expected = next;
    }
  }

  #step(expected: Expected): Expected | JsonFault {
    if (expected === 'end of value') return this.#afterValue();
    const char = this.#text.charAt(this.#index);
    if (expected === 'first value' && char === ']') return this.#close();
    if (expected === 'first key' && char === '}') return this.#close();
    return expected === 'key' || expected === 'first key' ? this.#key(char) : this.#value(char);
  }

  #afterValue(): Expected | JsonFault {
    const char = this.#text.charAt(this.#index);
    const open = this.#open[this.#open.length - 1];
    if (char === (open === '{' ? '}' : ']')) return this.#close();
    const closing = open === '{' ? '"}"' : '"]"';
    if (this.#atEnd()) return this.#fault(`The text ends too early: ${closing} is missing.`);
    if (char !== ',') return this.#fault(`A comma or ${closing} is missing before ${this.#found()}.`);
    const comma = this.#index++;
    this.#skipSpace();
    const after = this.#text.charAt(this.#index);
    if (after === '}' || after === ']') {
      this.#index = comma;
      return this.#fault(`A comma may not stand before the closing "${after}".`);
    }
    return open === '{' ? 'key' : 'value';
  }

  #close(): Expected {
    this.#open.pop();
    this.#index++;
    return 'end of value';
  }

  #key(char: string): Expected | JsonFault {
    if (this.#atEnd()) return this.#fault('The text ends too early: "}" is missing.');
    if (char === "'") return this.#fault('Names of fields stand in double quotes, not in single ones.');
    if (char !== '"') return this.#fault(`The name of a field in double quotes is expected, but ${this.#found()} stands there.`);
    const fault = this.#string();
    if (fault !== undefined) return fault;
    this.#skipSpace();
    if (this.#text.charAt(this.#index) !== ':') {
      return this.#fault(
        this.#atEnd() ? 'The text ends too early: ":" and a value are missing.' : `":" is missing before ${this.#found()}.`,
      );
    }
    this.#index++;
    return 'value';
  }

  #value(char: string): Expected | JsonFault {
    if (char === '{' || char === '[') {
      this.#open.push(char);
      this.#index++;
      return char === '{' ? 'first key' : 'first value';
    }
    if (char === '"') return this.#string() ?? 'end of value';
    if (/[-\d]/.test(char)) return this.#number() ?? 'end of value';
    for (const word of ['true', 'false', 'null']) {
      if (this.#text.startsWith(word, this.#index) && !/^[\w$]/.test(this.#text.charAt(this.#index + word.length))) {
        this.#index += word.length;
        return 'end of value';
      }
    }
    if (this.#atEnd()) {
      return this.#fault(
        this.#open.length === 0 ? 'There is no JSON value: the text is empty.' : 'The text ends too early: a value is missing.',
      );
    }
    if (char === "'") return this.#fault('Texts stand in double quotes, not in single ones.');
    if (char === '/') return this.#fault('JSON has no comments.');
    return this.#fault(`A value is expected, but ${this.#found()} stands there.`);
  }

  #number(): JsonFault | undefined {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
    number.lastIndex = this.#index;
    if (!number.test(this.#text)) return this.#fault('A digit is missing after "-".');
    const start = this.#index;
    this.#index = number.lastIndex;
    const next = this.#text.charAt(this.#index);
    if (/\d/.test(next)) return { offset: start, message: 'A number may not start with a 0 before other digits.' };
    return /[.eE]/.test(next)
      ? this.#fault(`A digit is missing after ${next === '.' ? 'the point' : 'the exponent'} of a number.`)
      : undefined;
  }

  #string(): JsonFault | undefined {
    const open = this.#index++;
    for (; !this.#atEnd(); this.#index++) {
      const unit = this.#text.charCodeAt(this.#index);
      if (unit === 0x22) {
        this.#index++;
        return undefined;
      }
      if (unit === 0x0a || unit === 0x0d)
        return this.#fault('A text may not run over the end of a line; a line break in it is written \\n.');
      if (unit < 0x20) return this.#fault(`A text may not hold ${this.#found()} as it is; it is written as an escape.`);
      if (unit === 0x5c) {
        const known = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
        known.lastIndex = this.#index;
        if (!known.test(this.#text))
          return this.#fault('A backslash in a text is written \\\\; this one starts no known escape.');
        this.#index = known.lastIndex - 1;
      }
    }
    this.#index = open;
    return this.#fault('The text that starts here has no closing quote.');
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#index))) this.#index++;
  }

  #atEnd(): boolean {
    return this.#index >= this.#text.length;
  }

  /** What stands here, for a message: a short word or one character; what cannot be seen by its code. */
  #found(): string {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#index) ?? 0);
    const word = /[\p{L}\p{N}_$.+-]{1,20}/uy;
    word.lastIndex = this.#index;
    const run = word.exec(this.#text)?.[0];
    if (run !== undefined) return `"${run}"`;
    if (char === '"') return 'another quoted text';
    return /[\p{C}\p{Z}]/u.test(char)
      ? `the character U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
      : `"${char}"`;
  }

  #fault(message: string): JsonFault {
    return { offset: this.#index, message };
  }
}
