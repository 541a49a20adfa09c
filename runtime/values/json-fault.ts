// Explains in plain words where and why `JSON.parse` rejects text. The messages of V8 differ between versions and sometimes
// lack the place. Not recursive, so that no nesting can overflow the stack.

export interface JsonFault {
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  /** A whole sentence without the place. */
  readonly message: string;
}

/** The first fault of the text from `start` on. If there is none, it only says that the text is not valid. */
export function jsonFault(text: string, start: number): JsonFault {
  const reader = new FaultReader(text, start);
  return reader.read() ?? { offset: start, message: 'This is not valid JSON.' };
}

/** What may come next. `first…` means directly after the opening bracket, where it may close immediately. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'end of value';

class FaultReader {
  readonly #text: string;
  #index: number;
  /** The open brackets around the current place. */
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
        return this.#atEnd() ? undefined : this.#fault(`Expected the end of the JSON, but found ${this.#found()}.`);
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
    if (this.#atEnd()) return this.#fault(`The JSON ends too early: ${closing} is missing.`);
    if (char !== ',') return this.#fault(`Expected a comma or ${closing} before ${this.#found()}.`);
    const comma = this.#index++;
    this.#skipSpace();
    const after = this.#text.charAt(this.#index);
    if (after === '}' || after === ']') {
      this.#index = comma;
      return this.#fault(`Remove the comma before the closing "${after}".`);
    }
    return open === '{' ? 'key' : 'value';
  }

  #close(): Expected {
    this.#open.pop();
    this.#index++;
    return 'end of value';
  }

  #key(char: string): Expected | JsonFault {
    if (this.#atEnd()) return this.#fault('The JSON ends too early: "}" is missing.');
    if (char === "'") return this.#fault('Put field names in double quotes, not single quotes.');
    if (char !== '"') return this.#fault(`Expected a field name in double quotes, but found ${this.#found()}.`);
    const fault = this.#string();
    if (fault !== undefined) return fault;
    this.#skipSpace();
    if (this.#text.charAt(this.#index) !== ':') {
      return this.#fault(
        this.#atEnd() ? 'The JSON ends too early: ":" and a value are missing.' : `Expected ":" before ${this.#found()}.`,
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
        this.#open.length === 0
          ? 'Expected a JSON value, but the text is empty.'
          : 'The JSON ends too early: a value is missing.',
      );
    }
    if (char === "'") return this.#fault('Put text in double quotes, not single quotes.');
    if (char === '/') return this.#fault('JSON does not allow comments.');
    return this.#fault(`Expected a value, but found ${this.#found()}.`);
  }

  #number(): JsonFault | undefined {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
    number.lastIndex = this.#index;
    if (!number.test(this.#text)) return this.#fault('Expected a digit after "-".');
    const start = this.#index;
    this.#index = number.lastIndex;
    const next = this.#text.charAt(this.#index);
    if (/\d/.test(next)) return { offset: start, message: 'A number must not have leading zeros.' };
    return /[.eE]/.test(next)
      ? this.#fault(`Expected a digit after the ${next === '.' ? 'decimal point' : 'exponent'} of a number.`)
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
        return this.#fault('Text must end on the line where it starts. Write a line break as \\n.');
      if (unit < 0x20) return this.#fault(`Text must not contain ${this.#found()} directly. Write it as an escape.`);
      if (unit === 0x5c) {
        const known = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
        known.lastIndex = this.#index;
        if (!known.test(this.#text))
          return this.#fault('This backslash starts no known escape. Write a literal backslash as \\\\.');
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

  /** How a message shows what is here: a short word or one character, or a code if it is invisible. */
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
