// Mail, against a real SMTP server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { CallRequest, Outcome, ServiceSpec } from '../../runtime/types.js';
import { readMailAddress } from '../../src/connectors/mail/mail.js';
import { connectedScene } from './connected-call.js';

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

type Send = (pairs: CallRequest['parameters'] | Record<string, unknown>, more?: Partial<CallRequest>) => Promise<Outcome>;

/** A server that keeps what it receives. `address` may contain more than its location. */
async function withServer(
  options: SMTPServerOptions & { readonly user?: string; readonly query?: string },
  play: (send: Send, mails: Mail[], url: string) => Promise<void>,
): Promise<void> {
  const mails: Mail[] = [];
  const { user = '', query = '', ...own } = options;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(parts).toString(),
          });
          done();
        });
    },
    ...own,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo; // a TCP server's address is an object
  const url = `smtp://${user}127.0.0.1:${port}${query}`;
  const post: ServiceSpec = { name: 'Post', kind: 'mail', url: [url], from: ['Shop <shop@example.com>'] };
  try {
    await connectedScene(async ({ call }) => {
      const send: Send = (pairs, more = {}) =>
        call(post, {
          verb: 'send',
          description: 'note',
          parameters: (Array.isArray(pairs) ? pairs : Object.entries(pairs)) as CallRequest['parameters'],
          ...more,
        });
      await play(send, mails, url);
    });
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

const note = { to: 'ada@example.com', subject: 'Hello', text: 'Dear Ada' };

/** A reply of the server, in smtp-server's form. */
const refusal = (code: number, message: string): Error => Object.assign(new Error(message), { responseCode: code });

test('accepts only valid addresses', () => {
  const good: Record<string, string> = {
    'ada@example.com': 'ada@example.com',
    ' ada@example.com ': 'ada@example.com',
    'Ada Lovelace <ada@example.com>': 'ada@example.com',
    '"Ada L." <ada@example.com>': 'ada@example.com',
    '"Lovelace, Ada" <ada@example.com>': 'ada@example.com',
    'ada+orders@sub.example.com': 'ada+orders@sub.example.com',
    'größe@exämple.com': 'größe@exämple.com',
  };
  for (const [text, address] of Object.entries(good)) assert.equal(readMailAddress(text)?.address, address, text);
  const bad = [
    '',
    'ada',
    'a@b@c',
    'a@b, c@d',
    'a@b;c@d',
    'Group: a@b;',
    '<a@b>, <c@d>',
    'a@b\r\nBcc: c@d',
    'a@b\u2028',
    'a b@c',
    'x <a@b> y',
    'a@b <c@d>',
    '<<a@b>>',
    '"a@b", c@d',
    '"A, b@c" <a@b>',
    '"A" <a@b>, "B" <c@d>',
    'A, B <a@b>',
    'a@',
    '@b',
  ];
  for (const text of bad) assert.equal(readMailAddress(text), undefined, JSON.stringify(text));
});

test('sends a complete message, once per recipient, with a unique id', () =>
  withServer({}, async (send, mails) => {
    const outcome = await send({
      to: ['Ada <ada@example.com>', 'bob@example.com', 'ada@example.com'],
      cc: 'cy@example.com',
      bcc: ['di@example.com'],
      'reply-to': 'help@example.com',
      subject: 'Order № 7',
      text: 'Dear Ada,\n.\nyours',
      html: '<p>Dear Ada</p>',
      attachments: [
        { name: 'a.txt', text: 'one' },
        { name: 'rows.csv', rows: [{ sku: '=1+1', n: -3 }] },
        { name: 'rows.xlsx', rows: [{ sku: 'A', n: 1 }] },
      ],
    });
    assert.equal(outcome.status, 'completed', outcome.message);
    const [mail] = mails;
    assert.deepEqual(mail?.to, ['ada@example.com', 'bob@example.com', 'cy@example.com', 'di@example.com']);
    assert.equal(mail?.from, 'shop@example.com');
    assert.doesNotMatch(mail?.raw ?? '', /di@example\.com/);
    assert.match(mail?.raw ?? '', /^Message-ID: <wf-[\w-]+@example\.com>/m);
    assert.match(mail?.raw ?? '', /filename="?rows\.xlsx/);
    assert.ok(mail?.raw.includes(Buffer.from("sku,n\n'=1+1,-3\n").toString('base64')), 'the table');
  }));

describe('never sends an invalid message', () => {
  const cases: Record<string, Record<string, unknown>> = {
    'no recipient': { to: [] },
    'an empty recipient': { to: null },
    'two recipients in a text': { to: 'a@example.com, evil@example.com' },
    'a recipient with a line break': { to: 'a@example.com\r\nBcc: evil@example.com' },
    'a recipient in a record': { to: { address: 'evil@example.com' } },
    'a subject with a line break': { subject: 'Hi\r\nBcc: evil@example.com' },
    'a text in a record': { text: { path: '/etc/passwd' } },
    'an html in a record': { html: { href: 'file:///etc/passwd' } },
    'an attachment with a path': { attachments: [{ name: 'a.txt', path: '/etc/passwd' }] },
    'an attachment with a path beside a text': { attachments: [{ name: 'a.txt', text: 'x', path: '/etc/passwd' }] },
    'an attachment with raw': { attachments: [{ name: 'a.txt', raw: { path: '/etc/passwd' } }] },
    'an attachment whose text is a record': { attachments: [{ name: 'a.txt', text: { path: '/etc/passwd' } }] },
    'an attachment with a slash': { attachments: [{ name: '../a.txt', text: 'x' }] },
    'an attachment that is a text': { attachments: ['/etc/passwd'] },
    'rows that are none': { attachments: [{ name: 'a.csv', rows: 'x' }] },
  };
  for (const [name, change] of Object.entries(cases)) {
    test(name, () =>
      withServer({}, async (send, mails) => {
        const outcome = await send({ ...note, ...change });
        assert.deepEqual([outcome.error?.code, mails.length], ['WF667', 0], outcome.message);
        assert.match(outcome.message ?? '', /was not sent: /);
      }),
    );
  }
});

for (const hidePIPELINING of [true, false]) {
  test(`sends to no one if one of three recipients is refused (pipelining: ${!hidePIPELINING})`, () =>
    withServer(
      {
        hidePIPELINING,
        onRcptTo: ({ address }, _, done) => done(address.startsWith('no') ? refusal(550, 'no such user') : null),
      },
      async (send, mails) => {
        const outcome = await send({ ...note, to: ['ada@example.com', 'nobody@example.com', 'bob@example.com'] });
        assert.equal(mails.length, 0);
        assert.equal(
          outcome.message,
          'Post: send note failed after 1 attempt: the mail server refused a recipient, and no one got the message (550).',
        );
        assert.equal((await send(note)).status, 'completed');
      },
    ));
}

test('retries replies that ask for patience with the same id, and no others', () => {
  let turn = 0;
  const later: SMTPServerOptions = { onMailFrom: (_, __, done) => done(turn++ === 0 ? refusal(451, 'later') : null) };
  return withServer(later, async (send, mails) => {
    const outcome = await send(note, { retry: { times: 2, waitMs: 0 } });
    assert.deepEqual([outcome.status, mails.length], ['completed', 1], outcome.message);
    const never: SMTPServerOptions = { onMailFrom: (_, __, done) => done(refusal(550, 'never')) };
    await withServer(never, async (sendAgain) => {
      const refused = await sendAgain(note, { retry: { times: 2, waitMs: 0 } });
      assert.match(refused.message ?? '', /failed after 1 attempt: the mail server refused the sender \(550\)/);
    });
  });
});

test('handles a password that is right, wrong, or never sent', async () => {
  const auth: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'ada' && password === 's3cret!pw' ? done(null, { user: 'ada' }) : done(refusal(535, 'wrong s3cret!pw')),
  };
  await withServer({ ...auth, user: 'ada:s3cret!pw@' }, async (send, mails) => {
    assert.equal((await send(note)).status, 'completed');
    assert.equal(mails.length, 1);
  });
  await withServer({ ...auth, user: 'ada:wrong!pw@' }, async (send) => {
    const outcome = await send(note);
    assert.match(outcome.message ?? '', /does not accept the user and password of its address \(535\)/);
    assert.doesNotMatch(JSON.stringify(outcome), /wrong!pw/);
  });
  await withServer({ ...auth, user: 'ada:s3cret!pw@', query: '?tls=always' }, async (send) => {
    const outcome = await send(note);
    assert.match(outcome.message ?? '', /no encrypted connection could be made/);
    assert.equal(outcome.error?.code, 'WF654');
  });
});

test('fails if nothing listens, or the server says nothing', async () => {
  await connectedScene(async ({ call }) => {
    const post = (port: number, timeoutMs?: number): ServiceSpec => ({
      name: 'Post',
      kind: 'mail',
      url: [`smtp://127.0.0.1:${port}`],
      from: ['shop@example.com'],
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const request = { verb: 'send', parameters: Object.entries(note) };
    assert.match((await call(post(1), request)).message ?? '', /failed after 1 attempt: connection refused\./);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo; // a TCP server's address is an object
    assert.match((await call(post(port, 200), request)).message ?? '', /no answer within 0\.2 seconds/);
    silent.close();
  });
});

test('refuses invalid addresses of mail servers', () =>
  connectedScene(async ({ call }) => {
    for (const address of ['https://x', 'smtp://', 'x', 'smtp://h?tls=maybe', 'smtp://a\nb']) {
      const post: ServiceSpec = { name: 'Post', kind: 'mail', url: [address], from: ['shop@example.com'] };
      const outcome = await call(post, { verb: 'send', parameters: Object.entries(note) });
      assert.equal(outcome.error?.code, 'WF651', `${address}: ${outcome.message}`);
    }
  }));
