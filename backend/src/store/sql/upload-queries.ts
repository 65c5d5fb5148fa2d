import sql from 'sql-template-tag';
import type { Database } from './database.ts';

/** File that waits for the user's confirmation, or is being imported. */
export interface Upload {
  id: number;
  name: string;
  size: number;
  /** Preview of the file, as JSON. */
  preview: string;
  /** Id of the import of this file, or null if the user has not confirmed it yet. */
  importId: number | null;
}

export type UploadStore = ReturnType<typeof uploadStore>;

/** Stores uploaded files in pieces, so that any process can import a file that another process received. */
export function uploadStore({ read, write, transaction, rowLock }: Database) {
  const isKnown = async (update: Promise<unknown[]>) => (await update).length === 1;
  return {
    /**
     * Creates an empty upload and returns its id. Replaces the account's upload that waits for confirmation. Returns
     * null if all uploads together would have more than `max` bytes.
     *
     * @param size size of the file, or its maximum if the size is not known yet
     */
    begin: (accountId: number, token: string, size: number, max: number, now: number) =>
      transaction(async (run): Promise<number | null> => {
        // Because of this lock, two uploads of an account that arrive at the same time do not both stay.
        await run(sql`SELECT id FROM accounts WHERE id = ${accountId} ${rowLock}`);
        await run(sql`DELETE FROM uploads WHERE account_id = ${accountId} AND import_id IS NULL`);
        const [stored] = await run<{ size: number }>(sql`SELECT coalesce(sum(size), 0) AS size FROM uploads`);
        if ((stored?.size ?? 0) + size > max) return null;
        const [created] = await run<{ id: number }>(sql`INSERT INTO uploads (account_id, token, size, created_at)
          VALUES (${accountId}, ${token}, 0, ${now}) RETURNING id`);
        return created?.id ?? null;
      }),
    /** Appends a piece of the file. Returns false if the upload was replaced or deleted. */
    add: (id: number, position: number, content: Uint8Array) =>
      transaction(async (run) => {
        const size = content.length;
        if (!(await isKnown(run(sql`UPDATE uploads SET size = size + ${size} WHERE id = ${id} RETURNING id`)))) {
          return false;
        }
        await run(
          sql`INSERT INTO upload_pieces (upload_id, position, content) VALUES (${id}, ${position}, ${content})`,
        );
        return true;
      }),
    /** Marks the upload as complete. Returns false if the upload was replaced or deleted. */
    complete: (id: number, name: string, preview: string) =>
      isKnown(write(sql`UPDATE uploads SET name = ${name}, preview = ${preview} WHERE id = ${id} RETURNING id`)),
    /** Returns a complete upload of the account that was created after `since`. */
    async find(accountId: number, token: string, since: number): Promise<Upload | null> {
      const [upload] = await read<Upload>(sql`SELECT id, name, size, preview, import_id AS "importId" FROM uploads
        WHERE account_id = ${accountId} AND token = ${token} AND created_at > ${since} AND preview IS NOT NULL`);
      return upload ?? null;
    },
    /** Returns a piece of the file, or null if the upload was deleted. */
    async piece(id: number, position: number): Promise<Uint8Array | null> {
      const [piece] = await read<{ content: Uint8Array }>(
        sql`SELECT content FROM upload_pieces WHERE upload_id = ${id} AND position = ${position}`,
      );
      return piece?.content ?? null;
    },
    /** Records the import of the file, so that the upload is no longer replaced. */
    async confirm(id: number, importId: number): Promise<void> {
      await write(sql`UPDATE uploads SET import_id = ${importId} WHERE id = ${id}`);
    },
    /** Deletes the content of a file. A confirmed upload itself stays, so that its form can be sent again. */
    discard: (id: number) =>
      transaction(async (run) => {
        await run(sql`DELETE FROM upload_pieces WHERE upload_id = ${id}`);
        await run(sql`DELETE FROM uploads WHERE id = ${id} AND import_id IS NULL`);
        await run(sql`UPDATE uploads SET size = 0 WHERE id = ${id}`);
      }),
    async forget(createdBefore: number): Promise<void> {
      await write(sql`DELETE FROM uploads WHERE created_at <= ${createdBefore}`);
    },
  };
}
