import type { NewLink, StoredLink } from '../store.ts';
import type { Ask, Database } from './database.ts';

export interface Owner {
  accountId: number;
  /** Null for a link that is made outside any key's budget. */
  keyId: number | null;
  /** The same for a key that sees no links but its own; null for any other. */
  ownKeyId: number | null;
}

/** A link that was to be made: the codes it tried, and what it became; null where all its codes were taken. */
export interface Attempt {
  tried: string[];
  made: StoredLink | null;
}

interface Open extends Attempt {
  link: Wish;
  codes: Iterator<string>;
}

type Wish = NewLink & Owner & { createdAt: number };

/**
 * Makes links in a transaction. One statement makes all that are still to be made, each with its next code, and so on
 * with those whose code was taken. Uniqueness is the constraint's business: nothing is looked up first.
 */
export function linkMaker(database: Database) {
  const insert = database.prepare(
    `INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at)
     SELECT code, url, account_id, key_id, own_key_id, title, created_at, expires_at
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[],
       $8::bigint[]) AS wish (code, url, account_id, key_id, own_key_id, title, created_at, expires_at)
     ON CONFLICT (code) DO NOTHING RETURNING id, code`,
  );

  return async (ask: Ask, links: Wish[]): Promise<Attempt[]> => {
    const attempts = links.map(begin);
    let open = attempts;
    while (open.length > 0) {
      const { first, others } = nextCodes(open);
      const wishes = [...first.values()].map(({ link }) => link);
      const rows = await ask<{ id: number; code: string }>(
        insert,
        [...first.keys()],
        wishes.map(({ url }) => url),
        wishes.map(({ accountId }) => accountId),
        wishes.map(({ keyId }) => keyId),
        wishes.map(({ ownKeyId }) => ownKeyId),
        wishes.map(({ title }) => title),
        wishes.map(({ createdAt }) => createdAt),
        wishes.map(({ expiresAt }) => expiresAt),
      );
      for (const { id, code } of rows) {
        const attempt = first.get(code) as Open;
        const { url, accountId, keyId, title, createdAt, expiresAt } = attempt.link;
        attempt.made = { id, code, url, accountId, keyId, title, createdAt, expiresAt, deletedAt: null, clicks: 0 };
        first.delete(code);
      }
      open = [...first.values(), ...others];
    }
    return attempts;
  };
}

/** The iterator is not closed: a transaction that is tried again goes on with the codes that are left. */
function begin(link: Wish): Open {
  return { link, codes: link.codes[Symbol.iterator](), tried: [], made: null };
}

/** Who tries which code next, and who wanted one that another link of the same lot tries. */
function nextCodes(open: Open[]): { first: Map<string, Open>; others: Open[] } {
  const first = new Map<string, Open>();
  const others: Open[] = [];
  for (const attempt of open) {
    const { value: code, done } = attempt.codes.next();
    if (done) continue;
    attempt.tried.push(code);
    if (first.has(code)) others.push(attempt);
    else first.set(code, attempt);
  }
  return { first, others };
}
