/**
 * PostgreSQL error codes for serialization failures, deadlocks and lock timeouts. The transaction was rolled back and
 * can be repeated.
 */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);

/**
 * PostgreSQL error codes for an unavailable server. Class 08 means a connection error, class 53 insufficient
 * resources, and class 57 a shutdown by the operator. 25006 means that the server has become read-only, and 25P03
 * that a transaction was idle for too long.
 */
const LOST = /^(08...|53...|57...|25006|25P03)$/;

/** Error messages of the driver for lost connections, which have no error code. */
const LOST_WORDS = /^(Connection terminated|Client (was closed|has encountered))/;

/** Error messages of the driver if the server does not respond in time. */
const TIMEOUTS = /^(Query read timeout|timeout e|Connection terminated due to connection timeout)/;

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

export function isTimeout(error: unknown): boolean {
  return TIMEOUTS.test((error as Error).message);
}

/** True if PostgreSQL has rolled back the transaction and it can be repeated. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has((error as { code?: string }).code ?? '');
}

/** True if the server is unavailable. */
export function isLost(error: unknown): boolean {
  const { code = '', syscall, message = '' } = error as NodeJS.ErrnoException;
  return LOST.test(code) || syscall !== undefined || LOST_WORDS.test(message) || isTimeout(error);
}

/** Returns the reason for an error, worded as part of a sentence. */
export function reasonOf(error: unknown): string {
  // If a host has several addresses, the error has no message. Instead, it contains one error per address.
  const { message } = (error instanceof AggregateError ? error.errors[0] : error) as Error;
  return message.replace(/\.$/, '');
}
