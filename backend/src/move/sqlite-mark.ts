import type { DatabaseSync } from 'node:sqlite';
import { MOVE_UNDONE, MOVED_AWAY, MOVED_AWAY_TEXT, MOVED_AWAY_TRIGGER } from '../store/moved-away.ts';
import type { Table } from './schema.ts';

/** Marks a database as moved away, in a transaction. */
export function markMovedAway(connection: DatabaseSync, tables: readonly Table[], now: number): void {
  connection.prepare('DELETE FROM migrations WHERE id = ?').run(MOVE_UNDONE);
  const note = "INSERT INTO migrations (id, name, applied_at) VALUES (?, 'moved away', ?)";
  connection.prepare(note).run(MOVED_AWAY, now);
  for (const { name } of tables) {
    for (const write of ['INSERT', 'UPDATE', 'DELETE']) {
      connection.exec(
        `CREATE TRIGGER ${MOVED_AWAY_TRIGGER}_${name}_${write} BEFORE ${write} ON ${name}
         BEGIN SELECT RAISE(ABORT, ${MOVED_AWAY_TEXT}); END`,
      );
    }
  }
}

/** Takes the mark away and notes that, in a transaction. @returns false where there was none */
export function unmarkMovedAway(connection: DatabaseSync): boolean {
  const undo = connection.prepare("UPDATE migrations SET id = ?, name = 'move undone' WHERE id = ?");
  const { changes } = undo.run(MOVE_UNDONE, MOVED_AWAY);
  if (changes === 0) return false;
  const all = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  const ours = all.map(({ name }) => String(name)).filter((name) => name.startsWith(`${MOVED_AWAY_TRIGGER}_`));
  for (const name of ours) connection.exec(`DROP TRIGGER ${name}`);
  return true;
}
