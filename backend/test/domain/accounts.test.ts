import { stat } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, hashKey, isWellFormedKey, keyNameProblem, lastFour } from '../../src/domain/accounts/api-keys.ts';
import {
  accountNameProblem,
  isSessionValid,
  nameKey,
  normalizeName,
  SESSION_LIFETIME_MS,
} from '../../src/domain/accounts/names-invitations-sessions.ts';
import { hashPassword, passwordProblem, TooManyWaiting, verifyPassword } from '../../src/domain/accounts/passwords.ts';
import { generateToken, hashToken, isToken, systemRandom } from '../../src/domain/clock-and-random.ts';

describe('a password', () => {
  it('matches only itself', async () => {
    const stored = await hashPassword('correct horse battery', systemRandom);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/);
    expect(await verifyPassword('correct horse battery', stored)).toBe(true);
    expect(await verifyPassword('correct horse batterz', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  it('has a salt', async () => {
    const [one, other] = await Promise.all([hashPassword('same', systemRandom), hashPassword('same', systemRandom)]);
    expect(one).not.toBe(other);
  });

  it('is verified with the parameters that are stored with it', async () => {
    // The reference implementation writes argon2id (RFC 9106) in this format, with m=8192, t=1, p=1.
    const { argon2Sync } = await import('node:crypto');
    const nonce = Buffer.alloc(16, 1);
    const tag = argon2Sync('argon2id', {
      message: 'old',
      nonce,
      tagLength: 24,
      memory: 8192,
      passes: 1,
      parallelism: 1,
    });
    const base64 = (part: Buffer) => part.toString('base64').replace(/=+$/, '');
    const stored = `$argon2id$v=19$m=8192,t=1,p=1$${base64(nonce)}$${base64(tag)}`;
    expect(await verifyPassword('old', stored)).toBe(true);
    expect(await verifyPassword('new', stored)).toBe(false);
  });

  it('can be typed in composed or decomposed form', async () => {
    const stored = await hashPassword('caf\u00e9 cr\u00e8me 12', systemRandom);
    expect(await verifyPassword('cafe\u0301 cre\u0300me 12', stored)).toBe(true);
  });

  it.each([null, '', 'plain', '$argon2id$v=19$nonsense'])('does not match the invalid hash %j', async (stored) => {
    expect(await verifyPassword('', stored)).toBe(false);
    expect(await verifyPassword('plain', stored)).toBe(false);
  });

  it.each([
    ['short', 'ada', /at least 12/],
    ['x'.repeat(201), 'ada', /at most 200/],
    ['aaaaaaaaaaaaaaaaaaaa', 'ada', /easy to guess/],
    ['Grace-Hopper1', 'grace-hopper', /little more than the name/],
    ['correct horse battery', 'ada', null],
    ['adamant opposition', 'ada', null],
  ])('%j of the user %j is checked against the rules', async (password, name, problem) => {
    const answer = await passwordProblem(password, name);
    if (problem) expect(answer).toMatch(problem);
    else expect(answer).toBeNull();
  });

  it.each([
    ['password1234', 'P@ssw0rd1234', 'iloveyou1234', 'princess2009', 'michael19851'],
    ['123456789012', '098765432109', 'qwertyuiop12', 'qwertzuiop12', 'asdfghjkl123', '1qaz2wsx3edc', 'q1w2e3r4t5y6'],
    ['abcdefghijkl', 'abc123abc123', 'monkeymonkey', 'aaaabbbbcccc', '111122223333', 'letmeinletmein'],
    [
      'terse-terse-1',
      'terse-dashboard',
      'TerseAdmin2026',
      'admin dashboard',
      'dashboard123',
      'shortener2026',
      'grace-hopper-2026',
    ],
  ])('that is common or made of words of this service is refused: %s, …', async (...passwords) => {
    for (const password of passwords)
      expect(await passwordProblem(password, 'Grace-Hopper'), password).toMatch(/^(This|A) password/);
  });

  it('of any characters is accepted up to the maximum length, even with common words in it', async () => {
    const passwords = [
      ...[
        'correct horse battery',
        'k7Rm2WqXx9Lp',
        'zvhgtmwkfbxd',
        '830276194753',
        'Пароль для Отто',
        '🦦 🦡 🦫 otter-river',
      ],
      ...['my password is a river otter', 'x7'.repeat(2) + 'long enough to be as good as it gets '.repeat(5)],
    ];
    for (const password of passwords) expect(await passwordProblem(password, 'Grace'), password).toBeNull();
  });
});

describe('a name', () => {
  it('is compared without regard to case and character width', () => {
    expect(nameKey('  Ａda ')).toBe(nameKey('ada'));
    expect(nameKey('Zoe\u0308')).toBe(nameKey('ZO\u00cb'));
  });

  it.each(['', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'a\nb'])(
    '%j is refused with a message, for accounts and keys',
    (name) => {
      expect(accountNameProblem(normalizeName(name))).toMatch(/^[A-Z].*\.$/);
      expect(keyNameProblem(normalizeName(name))).toBe(accountNameProblem(normalizeName(name)));
    },
  );

  it('has a maximum length', () => {
    expect(accountNameProblem('x'.repeat(60)) ?? keyNameProblem('x'.repeat(100))).toBeNull();
    expect(accountNameProblem('x'.repeat(61))).toBe('A name can have at most 60 characters.');
    expect(keyNameProblem('x'.repeat(101))).toBe('A name can have at most 100 characters.');
  });
});

it('a session ends after some time without use, and after a maximum time', () => {
  const session = { createdAt: 0, lastUsedAt: 1000 };
  expect(isSessionValid(session, 1000 + SESSION_LIFETIME_MS.idle)).toBe(false);
  const busy = { createdAt: 0, lastUsedAt: SESSION_LIFETIME_MS.absolute - 1 };
  expect(isSessionValid(busy, SESSION_LIFETIME_MS.absolute - 1)).toBe(true);
  expect(isSessionValid(busy, SESSION_LIFETIME_MS.absolute)).toBe(false);
  expect(isSessionValid(session, 1000 - SESSION_LIFETIME_MS.idle)).toBe(false);
});

it('a token has 256 bits in 43 characters and is stored as a hash', () => {
  const token = generateToken(systemRandom);
  expect(isToken(token)).toBe(true);
  expect(isToken(`${token}x`)).toBe(false);
  expect(isToken('')).toBe(false);
  expect(hashToken(token)).toHaveLength(32);
  expect(hashToken(token)).toEqual(hashToken(token));
});

describe('many passwords at once', () => {
  const verify = () => verifyPassword('a password to try', null);

  it('are hashed one after another with a maximum queue length, and refused beyond that', async () => {
    const all = await Promise.allSettled(Array.from({ length: 200 }, verify));
    const refused = all.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(200 - 34);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManyWaiting);
    expect(await verify()).toBe(false);
  });

  it('continue after one that fails', async () => {
    await expect(verifyPassword('x', '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA')).rejects.toThrow();
    expect(await verify()).toBe(false);
  });

  it('leave some threads free for other work', async () => {
    let hashed = 0;
    const all = Array.from({ length: 30 }, async () => {
      await verify();
      hashed += 1;
    });
    await stat('.');
    expect(hashed).toBeLessThan(15);
    await Promise.all(all);
  });
});

describe('an API key', () => {
  it('consists of terse_, thirty symbols and a checksum of six symbols, and is unique', () => {
    const keys = Array.from({ length: 500 }, () => generateKey(systemRandom));
    expect(new Set(keys).size).toBe(500);
    for (const key of keys) {
      expect(key).toMatch(/^terse_[0-9A-Za-z]{36}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
  });

  it('is invalid if any single symbol is wrong', () => {
    const key = generateKey(systemRandom);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: key.length - 1 }), fc.stringMatching(/^[0-9A-Za-z]$/), (at, symbol) => {
        const typed = key.slice(0, at) + symbol + key.slice(at + 1);
        expect(isWellFormedKey(typed)).toBe(typed === key);
      }),
    );
  });

  it('is invalid if it is too short, too long or of another form', () => {
    const key = generateKey(systemRandom);
    for (const text of ['', key.slice(0, -1), `${key}a`, key.slice(6), key.toUpperCase(), `${key}, ${key}`]) {
      expect(isWellFormedKey(text), text).toBe(false);
    }
  });

  it('is stored as a hash and its last four symbols', () => {
    const sha256 = 'd3e45215e120db3eb5995f4abba313ec28ab1d4ae7de808d341d9c36bd1121ea';
    expect(Buffer.from(hashKey('terse_x')).toString('hex')).toBe(sha256);
    expect(lastFour('terse_abcd1234')).toBe('1234');
  });
});
