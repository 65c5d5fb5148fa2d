import { describe, expect, it } from 'vitest';
import { INVITATION_LIFETIME_MS, SESSION_LIFETIME_MS } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { FIRST_ACCOUNT, type Session } from '../../src/store/sql/account-queries.ts';
import { link, makeKey, NOON, newKey } from '../support/store.ts';
import type { Bench } from './suite.ts';

const bytes = (byte: number) => new Uint8Array(32).fill(byte);
const LATER = NOON + 60_000;

export function accountsSuite(bench: Bench): void {
  const invite = (accountId: number, hash: Uint8Array) =>
    bench.store.accounts.invite({ accountId, hash, createdAt: NOON, expiresAt: LATER });
  const accept = (hash: Uint8Array, name = 'Ada', password = 'hash-1', now = NOON) =>
    bench.store.accounts.accept({ hash, name, nameKey: name.toLowerCase(), password, now });
  const begin = (accountId: number, hash: Uint8Array, password: string, now = NOON) =>
    bench.store.sessions.create({ accountId, hash, password, device: 'Firefox on Linux', now });
  const signIn = async (accountId: number, hash: Uint8Array, now = NOON) => {
    const password = (await bench.store.accounts.credentialsOf(accountId))?.password ?? '';
    return (await begin(accountId, hash, password, now)) as Session;
  };
  const change = (verified: string, password: string, keptSession: number) =>
    bench.store.accounts.changePassword({ accountId: FIRST_ACCOUNT, verified, password, keptSession });
  const hold = async (accountId: number, name: string, token: number) => {
    await invite(accountId, bytes(token));
    await accept(bytes(token), name);
  };

  describe('accounts', () => {
    it('start with one account without a user', async () => {
      expect(await bench.store.accounts.list()).toMatchObject([{ id: FIRST_ACCOUNT, hasHolder: false }]);
      expect(await bench.store.accounts.credentialsOf(FIRST_ACCOUNT)).toBeNull();
    });

    it('are accepted by an invitation, once', async () => {
      await invite(FIRST_ACCOUNT, bytes(1));
      expect(await bench.store.accounts.invited(bytes(1), NOON)).toMatchObject({ id: FIRST_ACCOUNT });
      expect(await accept(bytes(1))).toEqual({ accountId: FIRST_ACCOUNT });
      expect(await bench.store.accounts.get(FIRST_ACCOUNT)).toMatchObject({ name: 'Ada', hasHolder: true });
      expect(await bench.store.accounts.credentials('ada')).toEqual({ accountId: FIRST_ACCOUNT, password: 'hash-1' });
      expect(await bench.store.accounts.invited(bytes(1), NOON)).toBeNull();
      expect(await accept(bytes(1), 'Eve', 'hash-2')).toBe('unknown');
      expect(await bench.store.accounts.credentials('eve')).toBeNull();
    });

    it('accept only one of many simultaneous uses of an invitation', async () => {
      await invite(FIRST_ACCOUNT, bytes(1));
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, at) => accept(bytes(1), `name${at}`)));
      expect(outcomes.filter((outcome) => outcome !== 'unknown')).toHaveLength(1);
    });

    it('are disabled, which ends their sessions and invitations, until they are enabled again', async () => {
      const { accounts, sessions } = bench.store;
      const other = await accounts.create('other', NOON);
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      await hold(other.id, 'Grace', 2);
      const stranger = await signIn(FIRST_ACCOUNT, bytes(7));
      await signIn(other.id, bytes(8));
      await invite(other.id, bytes(3));
      expect(await accounts.disable(other.id, LATER)).toBe(true);
      expect(await accounts.get(other.id)).toMatchObject({ hasHolder: true, disabledAt: LATER });
      expect(await accounts.credentials('grace')).toBeNull();
      expect(await begin(other.id, bytes(9), 'hash-1')).toBeNull();
      expect(await sessions.list(other.id)).toEqual([]);
      expect(await sessions.list(FIRST_ACCOUNT)).toEqual([stranger]);
      expect(await accept(bytes(3), 'Grace')).toBe('unknown');
      expect(await accounts.disable(other.id, LATER + 1)).toBe(true);
      expect((await accounts.list()).map(({ disabledAt }) => disabledAt)).toEqual([null, LATER]);
      expect(await accounts.enable(other.id)).toBe(true);
      expect(await accounts.credentials('grace')).toMatchObject({ accountId: other.id });
      expect(await begin(other.id, bytes(9), 'hash-1')).not.toBeNull();
      expect([await accounts.disable(99, NOON), await accounts.enable(99)]).toEqual([false, false]);
    });

    it('have no session after they are disabled, even if sessions start at the same time', async () => {
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      const beginning = (from: number) =>
        Array.from({ length: 20 }, (_, at) => begin(FIRST_ACCOUNT, bytes(from + at), 'hash-1'));
      const early = beginning(100);
      await Promise.all([...early, bench.store.accounts.disable(FIRST_ACCOUNT, NOON), ...beginning(200)]);
      expect(await bench.store.sessions.list(FIRST_ACCOUNT)).toEqual([]);
    });

    it('are deleted if nobody accepts them in time, as are expired invitations', async () => {
      const { accounts, links } = bench.store;
      const make = (name: string, now = NOON) => accounts.create(name, now);
      const [spent, open, held, linked, keyed, late] = [
        await make('spent'),
        await make('open'),
        await make('held'),
        await make('linked'),
        await make('keyed'),
        await make('late', NOON + 1),
      ];
      await invite(FIRST_ACCOUNT, bytes(1));
      await invite(spent.id, bytes(2));
      await accounts.invite({ accountId: open.id, hash: bytes(3), createdAt: NOON + 1, expiresAt: LATER });
      await hold(held.id, 'Held', 4);
      await links.create(linked.id, link(['kept']), NOON);
      await makeKey(bench.store, { accountId: keyed.id });

      await accounts.forget(NOON + INVITATION_LIFETIME_MS);
      const left = [FIRST_ACCOUNT, ...[open, held, linked, keyed, late].map(({ id }) => id)];
      expect((await accounts.list()).map(({ id }) => id)).toEqual(left);
      // At this time, the deleted invitation would still be valid.
      expect(await accounts.invited(bytes(1), NOON)).toBeNull();
      expect(await accounts.invited(bytes(3), NOON)).toMatchObject({ id: open.id });
    });

    it('have unique names, and a taken name does not use up an invitation', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      await invite(FIRST_ACCOUNT, bytes(1));
      await invite(other.id, bytes(2));
      await accept(bytes(1), 'Ada');
      expect(await accept(bytes(2), 'ADA')).toBe('name_taken');
      expect(await bench.store.accounts.get(other.id)).toEqual(other);
      expect(await accept(bytes(2), 'Grace')).toEqual({ accountId: other.id });
    });

    it('can be accepted again, which ends all earlier sessions', async () => {
      await invite(FIRST_ACCOUNT, bytes(1));
      await accept(bytes(1));
      await signIn(FIRST_ACCOUNT, bytes(9));
      await invite(FIRST_ACCOUNT, bytes(2));
      expect(await accept(bytes(2), 'Ada', 'hash-2', NOON + 1)).toEqual({ accountId: FIRST_ACCOUNT });
      expect(await bench.store.accounts.credentialsOf(FIRST_ACCOUNT)).toMatchObject({ password: 'hash-2' });
      expect(await bench.store.sessions.find(bytes(9))).toBeNull();
    });

    it('keep a password that changed in the meantime', async () => {
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      const { id } = await signIn(FIRST_ACCOUNT, bytes(7));
      expect(await change('hash-0', 'hash-3', id)).toBe(false);
      expect(await bench.store.accounts.credentials('ada')).toMatchObject({ password: 'hash-1' });
      const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((next) => change('hash-1', next, id)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });

    it('change their password, which invalidates all reset links', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      const { id } = await signIn(FIRST_ACCOUNT, bytes(7));
      await invite(FIRST_ACCOUNT, bytes(2));
      await invite(other.id, bytes(3));
      await change('hash-1', 'hash-3', id);
      expect(await bench.store.accounts.invited(bytes(2), NOON)).toBeNull();
      expect(await accept(bytes(2), 'Eve', 'hash-4')).toBe('unknown');
      expect(await bench.store.accounts.invited(bytes(3), NOON)).toMatchObject({ id: other.id });
    });
  });

  describe('sessions', () => {
    it('start only if the password is still the one that was verified', async () => {
      expect(await begin(FIRST_ACCOUNT, bytes(1), '')).toBeNull();
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      expect(await begin(FIRST_ACCOUNT, bytes(1), 'hash-0')).toBeNull();
      expect(await bench.store.sessions.find(bytes(1))).toBeNull();
    });

    it('with the old password end when it changes, even if they start at the same time', async () => {
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      const kept = await signIn(FIRST_ACCOUNT, bytes(1));
      const beginning = Array.from({ length: 20 }, (_, at) => begin(FIRST_ACCOUNT, bytes(100 + at), 'hash-1'));
      const changed = change('hash-1', 'hash-2', kept.id);
      const late = Array.from({ length: 20 }, (_, at) => begin(FIRST_ACCOUNT, bytes(200 + at), 'hash-1'));
      await Promise.all([...beginning, changed, ...late]);
      expect(await bench.store.sessions.list(FIRST_ACCOUNT)).toEqual([kept]);
    });

    it('are listed by last use', async () => {
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      const one = await signIn(FIRST_ACCOUNT, bytes(1));
      const two = await signIn(FIRST_ACCOUNT, bytes(2), NOON + 1);
      expect(await bench.store.sessions.list(FIRST_ACCOUNT)).toEqual([two, one]);
      await bench.store.sessions.touch(one.id, NOON + 2);
      expect(await bench.store.sessions.list(FIRST_ACCOUNT)).toMatchObject([{ id: one.id }, two]);
    });

    it('are deleted after some time without use, and after a maximum time', async () => {
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      const now = NOON + SESSION_LIFETIME_MS.idle;
      await signIn(FIRST_ACCOUNT, bytes(1));
      const old = await signIn(FIRST_ACCOUNT, bytes(2), now - SESSION_LIFETIME_MS.absolute);
      const fresh = await signIn(FIRST_ACCOUNT, bytes(3), NOON + 5);
      await bench.store.sessions.touch(old.id, NOON + 5);
      // The clock was wrong when this session began.
      await signIn(FIRST_ACCOUNT, bytes(4), now + SESSION_LIFETIME_MS.idle);
      await bench.store.sessions.forget(now);
      expect(await bench.store.sessions.list(FIRST_ACCOUNT)).toEqual([fresh]);
    });
  });

  describe('keys', () => {
    it('are found by their hash, as they were created', async () => {
      const hash = new Uint8Array(32).fill(7);
      const made = await bench.store.keys.create({
        accountId: FIRST_ACCOUNT,
        name: 'läptop "1"',
        hash,
        lastFour: 'wxyz',
        createdAt: NOON,
        throttle: 0.5,
        quota: 1000,
        scopes: ['create', 'read'],
        ownLinksOnly: true,
      });
      expect(made).toEqual({
        id: expect.any(Number),
        accountId: FIRST_ACCOUNT,
        name: 'läptop "1"',
        lastFour: 'wxyz',
        createdAt: NOON,
        lastUsedAt: null,
        revokedAt: null,
        disabledAt: null,
        throttle: 0.5,
        quota: 1000,
        scopes: ['create', 'read'],
        ownLinksOnly: true,
      });
      expect(await bench.store.keys.find(hash)).toEqual(made);
      expect(await bench.store.keys.list()).toEqual([made]);
      expect(await bench.store.keys.find(new Uint8Array(32).fill(8))).toBeNull();
    });

    it('are created up to the account’s maximum, even at the same time; recently revoked keys count', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const within = (accountId: number, byte: number, revokedSince = NOON) => {
        const key = newKey(new Uint8Array(32).fill(byte));
        return bench.store.keys.createFromForm({ ...key, accountId }, { submission: null, max: 3, revokedSince });
      };
      const made = await Promise.all(Array.from({ length: 10 }, (_, at) => within(FIRST_ACCOUNT, at)));
      const [first, ...more] = made.filter((key) => key !== null && key !== 'repeated');
      expect(more).toHaveLength(2);
      expect(await bench.store.keys.list()).toHaveLength(3);
      expect(await within(other.id, 100)).toMatchObject({ accountId: other.id, lastFour: 'abcd' });
      await bench.store.keys.revoke(first?.id as number, NOON);
      expect(await within(FIRST_ACCOUNT, 101, NOON)).toBeNull();
      expect(await within(FIRST_ACCOUNT, 101, NOON + 1)).toMatchObject({ accountId: FIRST_ACCOUNT });
    });

    it('keep their permissions when they are changed', async () => {
      const { id } = await makeKey(bench.store, { scopes: ['read'], ownLinksOnly: true });
      await bench.store.keys.change(FIRST_ACCOUNT, id, { name: 'renamed', throttle: null, quota: null });
      expect(await bench.store.keys.list()).toMatchObject([{ name: 'renamed', scopes: ['read'], ownLinksOnly: true }]);
    });

    it('are revoked once, and are still listed', async () => {
      const { id } = await makeKey(bench.store);
      expect(await bench.store.keys.revoke(id, NOON + 1)).toBe(true);
      expect(await bench.store.keys.revoke(id, NOON + 2)).toBe(true);
      expect(await bench.store.keys.revoke(id + 1, NOON)).toBe(false);
      expect(await bench.store.keys.list()).toMatchObject([{ id, revokedAt: NOON + 1 }]);
    });
  });
}
