import sql from 'sql-template-tag';
import type { Upload, UploadStore } from '../interface/upload-store.ts';
import type { SharedDatabase } from './sql-runner.ts';

export function uploadStore({ read, write, transaction, rowLock }: SharedDatabase): UploadStore {
  return {
    begin: (accountId, token, size, max, now) =>
      transaction(async ({ run }) => {
        // Because of this lock, two uploads of an account that arrive at the same time do not both stay.
        await run(sql`SELECT id FROM accounts WHERE id = ${accountId} ${rowLock}`);
        await run(sql`DELETE FROM uploads WHERE account_id = ${accountId} AND import_id IS NULL`);
        const stored = await run<{ id: number; size: number; importId: number | null }>(
          sql`SELECT id, size, import_id AS "importId" FROM uploads ORDER BY id`,
        );
        let total = stored.reduce((sum, upload) => sum + upload.size, size);
        for (const upload of stored) {
          if (total <= max) break;
          if (upload.importId !== null) continue;
          await run(sql`DELETE FROM uploads WHERE id = ${upload.id}`);
          total -= upload.size;
        }
        if (total > max) return null;
        const [created] = await run<{ id: number }>(sql`INSERT INTO uploads (account_id, token, size, created_at)
          VALUES (${accountId}, ${token}, 0, ${now}) RETURNING id`);
        return created?.id ?? null;
      }),
    add: (id, position, content) =>
      transaction(async ({ run }) => {
        const known = await run(sql`UPDATE uploads SET size = size + ${content.length} WHERE id = ${id} RETURNING id`);
        if (known.length === 0) return false;
        await run(
          sql`INSERT INTO upload_pieces (upload_id, position, content) VALUES (${id}, ${position}, ${content})`,
        );
        return true;
      }),
    async complete(id, name, preview) {
      const known = await write(
        sql`UPDATE uploads SET name = ${name}, preview = ${preview} WHERE id = ${id} RETURNING id`,
      );
      return known.length === 1;
    },
    async find(accountId, token, since) {
      const [upload] = await read<Upload>(sql`SELECT id, name, size, preview, import_id AS "importId" FROM uploads
        WHERE account_id = ${accountId} AND token = ${token} AND created_at > ${since} AND preview IS NOT NULL`);
      return upload ?? null;
    },
    async piece(id, position) {
      const [piece] = await read<{ content: Uint8Array }>(
        sql`SELECT content FROM upload_pieces WHERE upload_id = ${id} AND position = ${position}`,
      );
      return piece?.content ?? null;
    },
    async confirm(id, importId) {
      await write(sql`UPDATE uploads SET import_id = ${importId} WHERE id = ${id}`);
    },
    discard: (id) =>
      transaction(async ({ run }) => {
        await run(sql`DELETE FROM upload_pieces WHERE upload_id = ${id}`);
        await run(sql`DELETE FROM uploads WHERE id = ${id} AND import_id IS NULL`);
        await run(sql`UPDATE uploads SET size = 0 WHERE id = ${id}`);
      }),
    async forget(createdBefore) {
      await write(sql`DELETE FROM uploads WHERE created_at <= ${createdBefore}`);
    },
  };
}
