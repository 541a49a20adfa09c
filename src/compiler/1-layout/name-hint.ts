// The hint for an invalid name. Names occur in lines and in the braces of quoted text.

/** A pattern without quotes, in which `at` is: `like AB-####`. */
export function patternHint(text: string, at: number): string | undefined {
  const [before = '', word = ''] =
    /\blike\s+([^\s"]*)$/.exec(text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 100), at)) ?? [];
  if (before === '') return undefined;
  const rest = /^[^\s",:)]*/.exec(text.slice(at, at + 100))?.[0] ?? '';
  return `Put the pattern in quotes: like "${word}${rest}"`;
}

/** How to fix `name`, which may contain dots. */
export function nameHint(name: string): string {
  if (name.endsWith('.') || name.includes('..'))
    return 'A dot must be followed by the name of a field or the position of an item: order.lines.0';
  if (name.split('.').some((part) => /^[\d-]/.test(part) && !/^\d+$/.test(part)))
    return 'A name starts with a letter or "_". Input fields with other names have to be renamed before a workflow can read them.';
  return 'A hyphen can be inside a name, but not at its end. To subtract, write "minus".';
}
