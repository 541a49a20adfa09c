// The few colours of terminal output, in the form that every terminal supports.

const codes = { red: 31, green: 32, yellow: 33, grey: 90 } as const;

export type Colour = keyof typeof codes;

export const paint = (text: string, colour: Colour, isOn: boolean): string =>
  isOn ? `\u001b[${codes[colour]}m${text}\u001b[39m` : text;
