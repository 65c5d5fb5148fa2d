/** What an error of the database means for the one who asked. */
export type Fault = 'conflict' | 'lost' | 'other';

/** Serialization failure, deadlock, and a lock not had in time: the transaction was undone, and is to be tried again. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);

/**
 * SQLSTATE classes 08 (connection), 53 (out of resources) and 57 (the operator steps in), and two codes of class 25: a
 * server that turned read-only at a failover, and a transaction that idled for too long.
 */
const LOST = /^(08...|53...|57...|25006|25P03)$/;

/** The driver's own words for a connection it has lost, or could not get in time; it gives them no code. */
const LOST_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered))/;

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** Tells what can be tried again and what only time can mend from everything else. */
export function faultOf(error: unknown): Fault {
  const { code = '', syscall, message = '' } = error as NodeJS.ErrnoException;
  if (CONFLICTS.has(code)) return 'conflict';
  return LOST.test(code) || syscall !== undefined || LOST_WORDS.test(message) ? 'lost' : 'other';
}
