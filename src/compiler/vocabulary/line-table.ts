// How the lines that are not statements are written: section heads, settings, and the options of a call.

interface LineForm {
  readonly example: string;
  /** Whether lines are indented under it. */
  readonly hasBlock: boolean;
}

type LineTable = Readonly<Record<string, LineForm>>;

/** First word of a section's head → how it is written, in the order that a file must have. */
export const sectionTable = {
  config: { example: 'config:', hasBlock: true },
  inputs: { example: 'inputs:', hasBlock: true },
  services: { example: 'services:', hasBlock: true },
  workflow: { example: 'workflow:', hasBlock: true },
} as const satisfies LineTable;

/** First word of a line under a call or under `on failure:` → how it is written. */
export const callOptionTable = {
  save: { example: 'save the result as profile', hasBlock: false },
  choose: { example: 'choose from "approve", "decline"', hasBlock: false },
  within: { example: 'within 3 days', hasBlock: false },
  remind: { example: 'remind every 1 day', hasBlock: false },
  on: { example: 'on failure:', hasBlock: true },
  retry: { example: 'retry 3 times waiting 5 seconds', hasBlock: false },
  if: { example: 'if still failing:', hasBlock: true },
  with: { example: 'with headers:', hasBlock: true },
  send: { example: 'send rows as the body', hasBlock: false },
  sent: { example: 'sent as PUT', hasBlock: false },
  at: { example: 'at most once', hasBlock: false },
} as const satisfies LineTable;

/** First word of a line under a declaration of a service → how it is written. */
export const serviceOptionTable = {
  with: { example: 'with timeout 10 seconds', hasBlock: false },
  sign: {
    example: 'sign in at "https://login.example.com/token" as "{env.CLIENT_ID}" with secret "{env.CLIENT_SECRET}"',
    hasBlock: false,
  },
  from: { example: 'from "Shop <shop@example.com>"', hasBlock: false },
} as const satisfies LineTable;

/** Key of a setting → how it is written. */
export const configExamples: Readonly<Record<string, string>> = {
  name: 'name: "Order review"',
  version: 'version: 1',
  description: 'description: "Looks at each new order"',
  timeout: 'timeout: 5 minutes',
  timezone: 'timezone: "Europe/Berlin"',
  holidays: 'holidays: ["2026-12-25", "2027-01-01"]',
};
