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

/** Node's error codes for certificates from an untrusted authority. */
const UNTRUSTED =
  /^(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED)$/;
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';

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

/**
 * Returns the reason why a database cannot be opened, worded as part of a sentence. Omits the database URL, because
 * it may contain a password.
 */
export function reasonOf(error: unknown): string {
  // If a host has several addresses, the error has no message. Instead, it contains one error per address.
  const first = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException & {
    host?: string;
  };
  const { code = '', message, host } = first;
  if (code === WRONG_NAME) return `its certificate is not for ${host}`;
  if (!UNTRUSTED.test(code)) return message;
  return 'its certificate is not signed by a trusted authority. Set sslrootcert to the file with the certificate of its authority';
}
