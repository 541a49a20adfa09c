// Signing in with an OpenID provider on another site, in Chromium, which withholds the cookies that such a site must not use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOidc, readOidcRoles } from '../../../src/access/oidc.js';
import { CLIENT, testProvider } from '../../durable/oidc-provider.js';
import { skipUnlessSlow } from '../../root.js';
import { pagesOfChromium } from '../chromium.js';
import { consoleFor } from '../console-server.js';

const openPage = pagesOfChromium();

test('people go to the provider and come back signed in, and a link from elsewhere finds them so', {
  skip: skipUnlessSlow,
}, async (t) => {
  const provider = await testProvider(t, { accounts: [{ sub: 'ada', groups: ['ops'] }], host: 'localhost' });
  const rolesOf = readOidcRoles('{"operator": ["ops"]}', 'roles.json');
  const news: string[] = [];
  const oidc = createOidc({
    issuer: provider.issuer,
    ...CLIENT,
    roles: 'roles.json',
    rolesOf,
    onNews: (sentence) => void news.push(sentence),
  });
  const { url } = await consoleFor(t, { access: { oidc } });
  provider.start(`${url}/console/oidc/callback`);
  const { page, problems } = await openPage(t);
  await page.goto(`${url}/console/workflows`);
  problems.length = 0; // the browser reports the 401 of the sign-in page
  await page.getByRole('link', { name: /^Sign in with localhost/ }).click();
  await page.waitForURL(`${url}/console/workflows`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  assert.deepEqual(
    (await page.context().cookies(url)).map(({ name, sameSite, httpOnly }) => ({ name, sameSite, httpOnly })),
    [{ name: 'wf-console', sameSite: 'Strict', httpOnly: true }],
  );
  // From a page of another site.
  await page.goto(`${provider.issuer}/.well-known/openid-configuration`);
  await page.evaluate(`location.href = ${JSON.stringify(`${url}/console/tasks`)}`);
  await page.getByRole('heading', { name: 'Tasks' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: /^Sign in with localhost/ }).waitFor();
  assert.deepEqual(news, []);
});
