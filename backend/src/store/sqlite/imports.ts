import type { Import, ImportError, ImportRow, ImportStore } from '../import-store.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, account_id AS accountId, name, total, made, unchanged, refused, started_at AS startedAt,
  updated_at AS updatedAt, finished_at AS finishedAt, runner`;

export function importStore(database: Database): ImportStore {
  const begin = database.prepare(
    `INSERT INTO imports (account_id, name, total, made, unchanged, refused, started_at, updated_at, fingerprint, runner)
     VALUES (?, ?, ?, 0, 0, 0, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const takeOver = database.prepare(`UPDATE imports SET runner = ?, updated_at = ? WHERE id = ? RETURNING ${COLUMNS}`);
  const owner = database.prepare('SELECT account_id AS accountId FROM imports WHERE id = ? AND runner = ?');
  const insertLink = database.prepare(
    `INSERT INTO links (code, url, account_id, title, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (code) DO NOTHING`,
  );
  const same = database.prepare(
    'SELECT 1 FROM links WHERE code = ? AND account_id = ? AND url = ? AND deleted_at IS NULL',
  );
  const note = database.prepare('INSERT INTO import_errors (import_id, line, subject, problem) VALUES (?, ?, ?, ?)');
  const advance = database.prepare(
    'UPDATE imports SET made = made + ?, unchanged = unchanged + ?, refused = refused + ?, updated_at = ? WHERE id = ?',
  );
  const finish = database.prepare(
    'UPDATE imports SET finished_at = ?, updated_at = ?, runner = NULL WHERE id = ? AND runner = ?',
  );
  const leave = database.prepare('UPDATE imports SET runner = NULL WHERE id = ? AND runner = ?');
  const ofFile = database.prepare(
    `SELECT ${COLUMNS} FROM imports WHERE account_id = ? AND fingerprint = ? ORDER BY id DESC LIMIT 1`,
  );
  const oldest = database.prepare(
    'SELECT id FROM imports WHERE account_id = ? ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET ?',
  );
  const removeErrors = database.prepare(
    `DELETE FROM import_errors WHERE import_id = ? AND line IN (
       SELECT line FROM import_errors WHERE import_id = ? ORDER BY line LIMIT ?)`,
  );
  const remove = database.prepare('DELETE FROM imports WHERE id = ?');
  const get = database.prepare(`SELECT ${COLUMNS} FROM imports WHERE account_id = ? AND id = ?`);
  const list = database.prepare(`SELECT ${COLUMNS} FROM imports WHERE account_id = ? ORDER BY id DESC LIMIT ?`);
  const errors = database.prepare(
    'SELECT line, subject, problem FROM import_errors WHERE import_id = ? AND line > ? ORDER BY line LIMIT ?',
  );

  /** Carries out one row; returns which count it belongs to. */
  function carryOut(importId: number, accountId: number, row: ImportRow, taken: string) {
    if ('problem' in row) {
      note.run(importId, row.line, row.subject, row.problem);
      return 'refused';
    }
    const { codes, url, title, createdAt, expiresAt } = row.link;
    let isKnown = false;
    for (const code of codes) {
      if (insertLink.run(code, url, accountId, title, createdAt, expiresAt).changes === 1) return 'made';
      isKnown ||= same.get(code, accountId, url) !== undefined;
    }
    if (isKnown) return 'unchanged';
    note.run(importId, row.line, row.subject, taken);
    return 'refused';
  }

  return {
    begin: ({ accountId, name, total, fingerprint, runner, now }) =>
      database.write(() => begin.get(accountId, name, total, now, now, fingerprint, runner) as unknown as Import),
    takeOver: (id, runner, now) => database.write(() => takeOver.get(runner, now, id) as unknown as Import),
    apply: ({ id: importId, runner }, rows, taken, now) =>
      database.write(() => {
        const run = owner.get(importId, runner);
        if (!run) return false;
        const accountId = run.accountId as number;
        const counts = { made: 0, unchanged: 0, refused: 0 };
        for (const row of rows) counts[carryOut(importId, accountId, row, taken)] += 1;
        advance.run(counts.made, counts.unchanged, counts.refused, now, importId);
        return true;
      }),
    finish: ({ id, runner }, now) =>
      database.write(() => {
        finish.run(now, now, id, runner);
      }),
    leave: ({ id, runner }) =>
      database.write(() => {
        leave.run(id, runner);
      }),
    ofFile: async (accountId, fingerprint) =>
      (ofFile.get(accountId, fingerprint) as unknown as Import | undefined) ?? null,
    forget: (accountId, kept, most) =>
      database.write(() => {
        const old = oldest.get(accountId, kept)?.id;
        if (old === undefined) return false;
        if (removeErrors.run(old, old, most).changes < most) remove.run(old);
        return true;
      }),
    get: async (accountId, id) => (get.get(accountId, id) as unknown as Import | undefined) ?? null,
    list: async (accountId, most) => list.all(accountId, most) as unknown as Import[],
    errors: async (importId, line, most) => errors.all(importId, line, most) as unknown as ImportError[],
  };
}
