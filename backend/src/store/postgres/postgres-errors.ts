/** Kind of a database error: retry the transaction, connection lost, or anything else. */
export type Fault = 'conflict' | 'lost' | 'other';

/**
 * SQLSTATE codes of serialization failure, deadlock and lock timeout. The transaction was rolled back and can be
 * repeated.
 */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);

/**
 * SQLSTATE classes 08 (connection), 53 (out of resources) and 57 (operator intervention). 25006 is a server that
 * became read-only after a failover, 25P03 a transaction that idled too long.
 */
const LOST = /^(08...|53...|57...|25006|25P03)$/;

/** Messages of the driver for a lost connection or a timeout. These errors have no code. */
const LOST_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|The server does not support SSL|There was an error establishing an SSL)/;

/** Node's error codes for a certificate from an untrusted authority. */
const UNTRUSTED =
  /^(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED)$/;
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** Codes of other certificate errors, such as expired, not yet valid or revoked. */
const UNFIT = /^(CERT_|ERR_TLS_CERT_)/;

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** Classifies an error: `conflict` can be repeated, `lost` needs the database to come back, `other` is neither. */
export function faultOf(error: unknown): Fault {
  const { code = '', syscall, message = '' } = error as NodeJS.ErrnoException;
  if (CONFLICTS.has(code)) return 'conflict';
  const isLost =
    LOST.test(code) || syscall !== undefined || LOST_WORDS.test(message) || UNTRUSTED.test(code) || UNFIT.test(code);
  return isLost ? 'lost' : 'other';
}

/**
 * Returns why a database cannot be opened, as part of a sentence. It never includes the address, because that may
 * contain a password.
 */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error per address and no message.
  const first = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException & {
    host?: string;
  };
  const { code = '', message, host } = first;
  if (code === WRONG_NAME) return `its certificate is not for ${host}`;
  if (!UNTRUSTED.test(code)) return message;
  return 'its certificate is not signed by a trusted authority. Set sslrootcert to the file with the certificate of its authority';
}
