// How the lines that are not statements are written: section heads, settings, and the options of a call.

export interface LineForm {
  readonly example: string;
  /** Whether lines are indented under it. */
  readonly hasBlock: boolean;
}

type LineTable = Readonly<Record<string, LineForm>>;

/** First word of a section's head → how it is written, in the required order. */
export const sectionTable = {
  config: { example: 'config:', hasBlock: true },
  inputs: { example: 'inputs:', hasBlock: true },
  services: { example: 'services:', hasBlock: true },
  tables: { example: 'tables:', hasBlock: true },
  workflow: { example: 'workflow:', hasBlock: true },
} as const satisfies LineTable;

interface CallOptionForm extends LineForm {
  /** How a line directly under `ask … to:` starts if it is this option rather than part of the instruction. */
  readonly beginsWith: RegExp | undefined;
  /** Whether calls often begin with the same word, so that only the rest of the line tells them apart. */
  readonly isVerb?: boolean;
}

/** First word of a line under a call or under `on failure:` → how it is written. */
export const callOptionTable = {
  save: {
    example: 'save the result as profile',
    hasBlock: false,
    beginsWith: /^save the (\w+ as|result|status|response|confidence|comment|person)\b/,
  },
  addressed: { example: 'addressed to request.manager-email', hasBlock: false, beginsWith: /^addressed to\b/ },
  choose: { example: 'choose from "approve", "decline"', hasBlock: false, beginsWith: /^choose from\b/ },
  within: {
    example: 'within 3 days',
    hasBlock: false,
    beginsWith: /^within (?:.* )?(?:second|minute|hour|day|week|month|year)s?$/,
  },
  remind: { example: 'remind every 1 day', hasBlock: false, beginsWith: /^remind every\b/ },
  on: { example: 'on failure:', hasBlock: true, beginsWith: /^on (?:failure|success)\b/ },
  retry: { example: 'retry 3 times waiting 5 seconds', hasBlock: false, beginsWith: undefined },
  if: { example: 'if still failing:', hasBlock: true, beginsWith: undefined },
  with: { example: 'with headers:', hasBlock: true, beginsWith: /^with (?:headers|timeout)\b/ },
  send: { example: 'send rows as the body', hasBlock: false, isVerb: true, beginsWith: /^send .* as the body\b/ },
  sent: { example: 'sent as PUT', hasBlock: false, beginsWith: /^sent as\b/ },
  at: { example: 'at most once', hasBlock: false, beginsWith: /^at most once\b/ },
} as const satisfies Readonly<Record<string, CallOptionForm>>;

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
  schedule: 'schedule: "weekday at 9:00"',
  holidays: 'holidays: ["2026-12-25", "2027-01-01"]',
  'once for each': 'once for each: request.invoice-number',
  'find by': 'find by: request.customer, request.order',
  'keep for': 'keep for: 30 days',
  'working hours': 'working hours: "monday to friday 9:00 to 17:00"',
  language: 'language: "de"',
  signature: 'signature: "github"',
  secret: 'secret: "{env.GITHUB_SECRET}"',
  answer: 'answer: accepted',
  status: 'status when rejected: 422',
  runs: 'runs at once: 5',
};
