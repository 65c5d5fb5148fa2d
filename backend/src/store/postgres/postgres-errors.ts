/**
 * Kind of database error. After a `conflict`, the transaction can be repeated. `lost` means that the server is
 * unavailable.
 */
export type Fault = 'conflict' | 'lost' | 'other';

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

/** PostgreSQL error code for a connection that cannot be established. */
const CANNOT_CONNECT = '08001';

/** Error messages of the driver for lost connections and timeouts. These errors have no error code. */
const LOST_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|The server does not support SSL|There was an error establishing an SSL)/;

/** Node's error codes for certificates from an untrusted authority. */
const UNTRUSTED =
  /^(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED)$/;
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** Prefixes of Node's error codes for invalid certificates, such as `CERT_HAS_EXPIRED`. */
const UNFIT = /^(CERT_|ERR_TLS_CERT_)/;

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** Error codes of PostgreSQL. Errors of the driver or of this program have no such code. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Returns an error that `faultOf` classifies as a lost connection. PostgreSQL can refuse a connection with many
 * codes, such as 28P01 for a wrong password.
 */
export function refusedConnection(error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (faultOf(error) !== 'other' || !SQLSTATE.test(code)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: CANNOT_CONNECT });
}

export function faultOf(error: unknown): Fault {
  const { code = '', syscall, message = '' } = error as NodeJS.ErrnoException;
  if (CONFLICTS.has(code)) return 'conflict';
  const isLost =
    LOST.test(code) || syscall !== undefined || LOST_WORDS.test(message) || UNTRUSTED.test(code) || UNFIT.test(code);
  return isLost ? 'lost' : 'other';
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
