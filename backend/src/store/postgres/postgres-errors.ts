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
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|The server does not support SSL|There was an error establishing an SSL)/;

/** The server's certificate is signed by nobody who is trusted. The codes are Node's. */
const UNTRUSTED =
  /^(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED)$/;
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** What else there is to say against a certificate: it has expired, is not valid yet, was revoked. */
const UNFIT = /^(CERT_|ERR_TLS_CERT_)/;

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** Tells what can be tried again and what only time can mend from everything else. */
export function faultOf(error: unknown): Fault {
  const { code = '', syscall, message = '' } = error as NodeJS.ErrnoException;
  if (CONFLICTS.has(code)) return 'conflict';
  const isLost =
    LOST.test(code) || syscall !== undefined || LOST_WORDS.test(message) || UNTRUSTED.test(code) || UNFIT.test(code);
  return isLost ? 'lost' : 'other';
}

/** Why a database cannot be opened, as part of a sentence. It never holds the address, in which a password may be. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each, and no message of its own.
  const first = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException & {
    host?: string;
  };
  const { code = '', message, host } = first;
  if (code === WRONG_NAME) return `its certificate is not for ${host}`;
  if (!UNTRUSTED.test(code)) return message;
  return 'its certificate is not signed by whom this service trusts. Name the file with the certificate of its authority as sslrootcert';
}
