// The few colours that text for a terminal has, in the one form that every terminal knows.

const codes = { red: 31, green: 32, yellow: 33, grey: 90 } as const;

export type Colour = keyof typeof codes;

export const paint = (text: string, colour: Colour, isOn: boolean): string =>
  isOn ? `\u001b[${codes[colour]}m${text}\u001b[39m` : text;
