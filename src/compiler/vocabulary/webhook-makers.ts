// Lists the makers of webhooks whose signatures `signature:` in `config:` can require.

export const makers = ['standard-webhooks', 'github', 'stripe', 'slack', 'shopify', 'twilio', 'mailgun', 'meta'] as const;

export type Maker = (typeof makers)[number];

export const isMaker = (text: string): text is Maker => makers.some((maker) => maker === text);
