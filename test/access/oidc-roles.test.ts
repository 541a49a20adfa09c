// The file of `--oidc-roles`: what it says, and what it can't.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOidcRoles } from '../../src/access/oidc-roles.js';

test('roles.json says which groups have which roles, where the claims are, and refuses what it does not know', () => {
  const cases: [unknown, RegExp][] = [
    ['{"operator"', /roles\.json is not valid JSON: line 1/],
    [[], /must be a JSON object/],
    [{ operators: ['x'] }, /the field "operators" is unknown; it takes claim, name, scope, operator, viewer, caller/],
    [{ operator: 'x' }, /operator must be a list of groups/],
    [{ operator: [] }, /gives no group a role, so nobody could sign in/],
    [{ operator: ['x'], claim: '' }, /claim must be a text/],
  ];
  for (const [given, message] of cases) {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    assert.throws(() => readOidcRoles(text, 'roles.json'), message, text);
  }
  const { roleOf, nameOf } = readOidcRoles(
    JSON.stringify({ claim: 'realm_access.roles', name: 'login', operator: ['ops'], caller: ['*'] }),
    'roles.json',
  );
  assert.equal(roleOf({ realm_access: { roles: ['a', 'ops'] } }), 'operator');
  assert.equal(roleOf({ 'realm_access.roles': 'ops', realm_access: { roles: [] } }), 'operator', 'a name may have dots');
  for (const claims of [{}, { realm_access: null }, { realm_access: { roles: [{ ops: 1 }, 7] } }])
    assert.equal(roleOf(claims), 'caller', 'everyone');
  assert.equal(nameOf({ login: ' ada ', email: 'ben@example.com' }), 'ada');
  for (const login of ['', 'a\nb', '\u202eada', 'x'.repeat(101), 7]) assert.equal(nameOf({ login, sub: '1' }), undefined);
  const usual = readOidcRoles('{"viewer": ["x"]}', 'roles.json');
  assert.equal(usual.nameOf({ email: 'ada@example.com', email_verified: false, preferred_username: 'eve' }), 'eve');
  assert.equal(usual.nameOf({ email: 'ada@example.com', sub: '1' }), 'ada@example.com');
  assert.equal(usual.roleOf({ groups: ['y'] }), undefined);
});
