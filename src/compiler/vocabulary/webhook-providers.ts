// Lists the webhook providers whose signatures `signature:` in `config:` can require.

export const webhookProviders = [
  'standard-webhooks',
  'github',
  'stripe',
  'slack',
  'shopify',
  'twilio',
  'mailgun',
  'meta',
] as const;

export type WebhookProvider = (typeof webhookProviders)[number];

export const isWebhookProvider = (text: string): text is WebhookProvider =>
  webhookProviders.some((provider) => provider === text);
