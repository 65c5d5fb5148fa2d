import sql, { join } from 'sql-template-tag';
import type { NewLink } from '../../domain/links/stored-link.ts';
import { chargeAccount } from './create-request.ts';
import { type Database, deleteSome, isExpired, type Run } from './database.ts';
import { insertLink } from './link-rows.ts';

export interface Import {
  id: number;
  accountId: number;
  name: string;
  /** Number of links in the file. The next three fields count the processed links by result. */
  total: number;
  made: number;
  unchanged: number;
  refused: number;
  startedAt: number;
  updatedAt: number;
  finishedAt: number | null;
  /** Id of the upload from which links are currently being imported. Null if the import is finished or stopped. */
  runner: string | null;
}

export type ImportRun = Pick<Import, 'id' | 'runner'>;

export interface NewImport {
  accountId: number;
  uploadId: number;
  name: string;
  total: number;
  fingerprint: Uint8Array;
  runner: string;
  now: number;
}

/**
 * A valid link from a row of the file, or the reason why a link in the row cannot be created. A row can contain
 * several links.
 */
export type ImportRow = { line: number; subject: string; link: NewLink & { createdAt: number } } | ImportError;

export interface ImportError {
  line: number;
  subject: string;
  problem: string;
}

/** Error messages for a row whose short code is taken. */
export interface TakenMessages {
  /** Message if the account has a link with the short code and another URL. */
  own: string;
  /** Message if the account has deleted the link with the short code. */
  deleted: string;
  /** Message if another account has or had a link with the short code. */
  other: string;
}

const COLUMNS = sql`id, account_id AS "accountId", name, total, made, unchanged, refused, started_at AS "startedAt",
  updated_at AS "updatedAt", finished_at AS "finishedAt", runner`;

/** Stores the error of a row. A row can contain several links, so their errors are joined. */
async function addError(run: Run, importId: number, { line, subject, problem }: ImportError): Promise<void> {
  await run(sql`INSERT INTO import_errors (import_id, line, subject, problem)
    VALUES (${importId}, ${line}, ${subject}, ${problem})
    ON CONFLICT (import_id, line) DO UPDATE SET subject = import_errors.subject || ', ' || excluded.subject,
      problem = CASE WHEN import_errors.problem = excluded.problem THEN excluded.problem
        ELSE import_errors.problem || ' ' || excluded.problem END`);
}

export function importStore(database: Database) {
  const { read, write, transaction, rowLock } = database;

  /** Imports one link. Returns the reason if the link cannot be created. */
  async function importLink(
    run: Run,
    accountId: number,
    link: NewLink & { createdAt: number },
    taken: TakenMessages,
  ): Promise<'made' | 'unchanged' | { problem: string }> {
    if (await insertLink(run, { ...link, accountId, keyId: null })) return 'made';
    const [own] = await run<{ url: string; deletedAt: number | null }>(sql`SELECT url, deleted_at AS "deletedAt"
      FROM links WHERE code IN (${join([...link.codes])}) AND account_id = ${accountId} LIMIT 1`);
    if (!own) return { problem: taken.other };
    if (own.deletedAt !== null) return { problem: taken.deleted };
    return own.url === link.url ? 'unchanged' : { problem: taken.own };
  }

  async function continueOrInsert(
    run: Run,
    { accountId, name, total, fingerprint, runner, now }: NewImport,
  ): Promise<Import> {
    const [continued] = await run<Import>(sql`UPDATE imports SET runner = ${runner}, updated_at = ${now}
      WHERE account_id = ${accountId} AND fingerprint = ${fingerprint} AND finished_at IS NULL
      RETURNING ${COLUMNS}`);
    if (continued) return continued;
    const [begun] = await run<Import>(sql`INSERT INTO imports
        (account_id, name, total, made, unchanged, refused, started_at, updated_at, fingerprint, runner)
      VALUES (${accountId}, ${name}, ${total}, 0, 0, 0, ${now}, ${now}, ${fingerprint}, ${runner})
      RETURNING ${COLUMNS}`);
    return begun as Import;
  }

  return {
    /**
     * Confirms an upload, and deletes its content. Starts a new import, or continues the account's unfinished import of
     * the same file and stops its other uploads. If the upload was confirmed before, changes nothing and returns its
     * import, which has another runner. Returns null if the account was disabled.
     */
    begin: (file: NewImport) =>
      transaction(async (run): Promise<Import | null> => {
        const { accountId, uploadId } = file;
        // Locks the account, so that it cannot be disabled meanwhile, and no other process can start the same import.
        const active = sql`SELECT id FROM accounts WHERE id = ${accountId} AND disabled_at IS NULL ${rowLock}`;
        if ((await run(active)).length === 0) return null;
        const [confirmed] = await run<Import>(
          sql`SELECT ${COLUMNS} FROM imports WHERE id = (SELECT import_id FROM uploads WHERE id = ${uploadId})`,
        );
        if (confirmed) return confirmed;
        const begun = await continueOrInsert(run, file);
        // The upload itself stays, so that its form can be sent again.
        await run(sql`UPDATE uploads SET import_id = ${begun.id}, content = NULL WHERE id = ${uploadId}`);
        return begun;
      }),
    /** Returns the account's last import of a file, or null if the file was never imported. */
    async last(accountId: number, fingerprint: Uint8Array): Promise<Import | null> {
      const [found] = await read<Import>(sql`SELECT ${COLUMNS} FROM imports
        WHERE account_id = ${accountId} AND fingerprint = ${fingerprint} ORDER BY id DESC LIMIT 1`);
      return found ?? null;
    },
    /**
     * Imports some rows and updates the counts of the import, in one transaction. If the account already has a link
     * with the same short code and URL, the existing link stays unchanged. If a different link has the short code, an
     * error is stored for the row. Each row, imported or not, is charged to the account's daily quota in the same
     * transaction. Returns the number of processed rows, which is smaller than the number of rows if the quota is used
     * up. Returns null and changes nothing if another upload has taken over the import.
     *
     * @param taken error messages for rows whose short code is taken
     * @param quota maximum number of rows per day, or null if the account has no quota
     */
    apply: (
      { id, runner }: ImportRun,
      all: ImportRow[],
      taken: TakenMessages,
      now: number,
      quota: number | null = null,
    ) =>
      transaction(async (run): Promise<number | null> => {
        // Because of this lock, another upload can take over the import only after these rows are counted.
        const [running] = await run<{ accountId: number }>(
          sql`SELECT account_id AS "accountId" FROM imports WHERE id = ${id} AND runner = ${runner} ${rowLock}`,
        );
        if (!running) return null;
        const { accountId } = running;
        const charge = (max: number) =>
          chargeAccount(run, database, { accountId, quota: 'rows', units: all.length, max });
        const rows = quota === null ? all : all.slice(0, (await charge(quota)).granted);
        await database.lock(run, 'batches');
        const counts = { made: 0, unchanged: 0, refused: 0 };
        for (const row of rows) {
          const result = 'link' in row ? await importLink(run, accountId, row.link, taken) : row;
          if (typeof result === 'string') counts[result] += 1;
          else {
            counts.refused += 1;
            await addError(run, id, { ...row, problem: result.problem });
          }
        }
        await run(sql`UPDATE imports SET made = made + ${counts.made}, unchanged = unchanged + ${counts.unchanged},
            refused = refused + ${counts.refused}, updated_at = ${now} WHERE id = ${id}`);
        return rows.length;
      }),
    async finish({ id, runner }: ImportRun, now: number): Promise<void> {
      await write(sql`UPDATE imports SET finished_at = ${now}, updated_at = ${now}, runner = NULL
        WHERE id = ${id} AND runner = ${runner}`);
    },
    /** Stops an unfinished import. The user can continue the import later. */
    async leave({ id, runner }: ImportRun): Promise<void> {
      await write(sql`UPDATE imports SET runner = NULL WHERE id = ${id} AND runner = ${runner}`);
    },
    /**
     * Deletes part of an old import. An import is old if at least `kept` imports of the account were processed more
     * recently. Returns false if the account has no old imports.
     */
    forget: (accountId: number, kept: number, max: number) =>
      transaction((run) => forgetImport(run, database, { accountId, kept, max })),
    async get(accountId: number, id: number): Promise<Import | null> {
      const [found] = await read<Import>(
        sql`SELECT ${COLUMNS} FROM imports WHERE account_id = ${accountId} AND id = ${id}`,
      );
      return found ?? null;
    },
    list: (accountId: number, max: number) =>
      read<Import>(sql`SELECT ${COLUMNS} FROM imports WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${max}`),
    /** Returns up to `max` errors of an import for rows after `line`, sorted by row. */
    errors: (importId: number, line: number, max: number) =>
      read<ImportError>(sql`SELECT line, subject, problem FROM import_errors
        WHERE import_id = ${importId} AND line > ${line} ORDER BY line LIMIT ${max}`),
  };
}

/**
 * Deletes up to `max` errors of an old import, and the import if no errors are left. Returns false if the account has no
 * old imports.
 */
export async function forgetImport(
  run: Run,
  { rowLock }: Pick<Database, 'rowLock'>,
  { accountId, kept, max }: { accountId: number; kept: number; max: number },
): Promise<boolean> {
  const [old] = await run<{ id: number }>(sql`SELECT id FROM imports WHERE account_id = ${accountId}
    ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET ${kept} ${rowLock}`);
  if (!old) return false;
  const errors = { table: sql`import_errors`, key: sql`import_id, line`, condition: sql`import_id = ${old.id}` };
  if (!(await deleteSome(run, errors, max))) await run(sql`DELETE FROM imports WHERE id = ${old.id}`);
  return true;
}

/** File that waits for the user's confirmation, or was confirmed. */
export interface Upload {
  id: number;
  name: string;
  /** Number of links in the file. */
  total: number;
  /** Id of the import of this file, or null if the user has not confirmed it yet. */
  importId: number | null;
  /** Null if the user has confirmed the file. */
  content: Uint8Array | null;
}

export interface NewUpload {
  accountId: number;
  token: string;
  name: string;
  total: number;
  content: Uint8Array;
  now: number;
}

/** Stores uploaded files, so that any process can import a file that another process received. */
export function uploadStore({ read, write, transaction, lock }: Database) {
  return {
    /**
     * Stores an upload. Replaces the account's upload that waits for confirmation. Returns false if all uploads
     * together would have more than `max` bytes.
     */
    add: ({ accountId, token, name, total, content, now }: NewUpload, max: number) =>
      transaction(async (run): Promise<boolean> => {
        // Because of this lock, uploads that are stored at the same time see each other's sizes.
        await lock(run, 'uploads');
        await run(sql`DELETE FROM uploads WHERE account_id = ${accountId} AND import_id IS NULL`);
        const [stored] = await run<{ size: number }>(
          sql`SELECT coalesce(sum(length(content)), 0) AS size FROM uploads`,
        );
        if ((stored?.size ?? 0) + content.length > max) return false;
        await run(sql`INSERT INTO uploads (account_id, token, name, total, content, created_at)
          VALUES (${accountId}, ${token}, ${name}, ${total}, ${content}, ${now})`);
        return true;
      }),
    /** Returns an upload of the account that was created after `since`. */
    async find(accountId: number, token: string, since: number): Promise<Upload | null> {
      const [upload] = await read<Upload>(sql`SELECT id, name, total, import_id AS "importId", content FROM uploads
        WHERE account_id = ${accountId} AND token = ${token} AND created_at > ${since}`);
      return upload ?? null;
    },
    async forget(now: number, lifetime: number): Promise<void> {
      await write(sql`DELETE FROM uploads WHERE ${isExpired(sql`created_at`, now, lifetime)}`);
    },
  };
}
