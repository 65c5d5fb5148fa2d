import type { Import, ImportError, ImportRow, ImportStore, Run } from '../import-store.ts';
import type { Ask, Database } from './database.ts';
import { type Attempt, linkMaker } from './make-links.ts';

const COLUMNS = `id, account_id AS "accountId", name, total, made, unchanged, refused, started_at AS "startedAt",
  updated_at AS "updatedAt", finished_at AS "finishedAt", runner`;

export function importStore(database: Database): ImportStore {
  const makeLinks = linkMaker(database);
  const begin = database.prepare(
    `INSERT INTO imports (account_id, name, total, made, unchanged, refused, started_at, updated_at, fingerprint, runner)
     VALUES ($1, $2, $3, 0, 0, 0, $4, $4, $5, $6) RETURNING ${COLUMNS}`,
  );
  const takeOver = database.prepare(
    `UPDATE imports SET runner = $2, updated_at = $3 WHERE id = $1 RETURNING ${COLUMNS}`,
  );
  // Whoever takes the import over waits for the end of this transaction, and so finds its rows counted.
  const owner = database.prepare(
    'SELECT account_id AS "accountId" FROM imports WHERE id = $1 AND runner = $2 FOR UPDATE',
  );
  const own = database.prepare(
    'SELECT code, url FROM links WHERE account_id = $1 AND code = ANY ($2::text[]) AND deleted_at IS NULL',
  );
  const note = database.prepare(
    `INSERT INTO import_errors (import_id, line, subject, problem)
     SELECT $1::bigint, line, subject, problem
     FROM unnest($2::bigint[], $3::text[], $4::text[]) AS error (line, subject, problem)`,
  );
  const advance = database.prepare(
    `UPDATE imports SET made = made + $2, unchanged = unchanged + $3, refused = refused + $4, updated_at = $5
     WHERE id = $1`,
  );
  const finish = database.prepare(
    'UPDATE imports SET finished_at = $3, updated_at = $3, runner = NULL WHERE id = $1 AND runner = $2',
  );
  const leave = database.prepare('UPDATE imports SET runner = NULL WHERE id = $1 AND runner = $2');
  const ofFile = database.prepare(
    `SELECT ${COLUMNS} FROM imports WHERE account_id = $1 AND fingerprint = $2 ORDER BY id DESC LIMIT 1`,
  );
  const oldest = database.prepare(
    'SELECT id FROM imports WHERE account_id = $1 ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET $2 FOR UPDATE',
  );
  const removeErrors = database.prepare(
    `DELETE FROM import_errors WHERE import_id = $1 AND line IN (
       SELECT line FROM import_errors WHERE import_id = $1 ORDER BY line LIMIT $2) RETURNING line`,
  );
  const remove = database.prepare('DELETE FROM imports WHERE id = $1');
  const get = database.prepare(`SELECT ${COLUMNS} FROM imports WHERE account_id = $1 AND id = $2`);
  const list = database.prepare(`SELECT ${COLUMNS} FROM imports WHERE account_id = $1 ORDER BY id DESC LIMIT $2`);
  const errors = database.prepare(
    'SELECT line, subject, problem FROM import_errors WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3',
  );

  async function apply(ask: Ask, run: Run, rows: ImportRow[], taken: string, now: number): Promise<boolean> {
    const { id: importId, runner } = run;
    const [running] = await ask<{ accountId: number }>(owner, importId, runner);
    if (!running) return false;
    const { accountId } = running;
    const good = rows.filter((row) => 'link' in row);
    const attempts = await makeLinks(
      ask,
      good.map(({ link }) => ({ ...link, accountId, keyId: null, ownKeyId: null })),
    );
    const left = good.map((row, at) => ({ ...row, ...(attempts[at] as Attempt) })).filter(({ made }) => made === null);
    const known = await ask<{ code: string; url: string }>(
      own,
      accountId,
      left.flatMap(({ tried }) => tried),
    );
    const urls = new Map(known.map(({ code, url }) => [code, url]));
    const refused = left.filter(({ tried, link }) => !tried.some((code) => urls.get(code) === link.url));
    const problems: ImportError[] = [
      ...rows.filter((row) => 'problem' in row),
      ...refused.map(({ line, subject }) => ({ line, subject, problem: taken })),
    ];
    await ask(
      note,
      importId,
      problems.map(({ line }) => line),
      problems.map(({ subject }) => subject),
      problems.map(({ problem }) => problem),
    );
    await ask(advance, importId, good.length - left.length, left.length - refused.length, problems.length, now);
    return true;
  }

  async function forget(ask: Ask, accountId: number, kept: number, most: number): Promise<boolean> {
    const [old] = await ask<{ id: number }>(oldest, accountId, kept);
    if (!old) return false;
    const removed = await ask(removeErrors, old.id, most);
    if (removed.length < most) await ask(remove, old.id);
    return true;
  }

  return {
    async begin({ accountId, name, total, fingerprint, runner, now }) {
      const [begun] = await database.write<Import>(begin, accountId, name, total, now, fingerprint, runner);
      return begun as Import;
    },
    async takeOver(id, runner, now) {
      const [taken] = await database.write<Import>(takeOver, id, runner, now);
      return taken as Import;
    },
    apply: (run, rows, taken, now) => database.transaction((ask) => apply(ask, run, rows, taken, now)),
    async finish({ id, runner }, now) {
      await database.write(finish, id, runner, now);
    },
    async leave({ id, runner }) {
      await database.write(leave, id, runner);
    },
    ofFile: async (accountId, fingerprint) => (await database.read<Import>(ofFile, accountId, fingerprint))[0] ?? null,
    forget: (accountId, kept, most) => database.transaction((ask) => forget(ask, accountId, kept, most)),
    get: async (accountId, id) => (await database.read<Import>(get, accountId, id))[0] ?? null,
    list: (accountId, most) => database.read<Import>(list, accountId, most),
    errors: (importId, line, most) => database.read<ImportError>(errors, importId, line, most),
  };
}
