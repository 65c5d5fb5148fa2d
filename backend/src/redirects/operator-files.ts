import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../config/environment.ts';
import { parseSecurityTxt, type SecurityTxt } from '../http/robots-and-security-txt.ts';
import type { Log } from '../log/json-log.ts';
import type { OwnPage, OwnPages } from './error-pages.ts';

/** Files that the operator provides for visitors and search engines. The files are read only at startup. */
export interface VisitorFiles {
  /**
   * Redirect target for the path `/` on the host of the short URLs. If null, visitors to this path see the page for
   * unknown links.
   */
  homeUrl: string | null;
  ownPages: OwnPages;
  robots: string;
  /** Content of `security.txt`. Null if the operator has not provided this file. */
  security: SecurityTxt | null;
}

/**
 * Maximum size of a page in bytes. Every visitor with a wrong short URL has to load the page, so a larger page is
 * probably a mistake.
 */
const MAX_PAGE_SIZE = 512 * 1024;

/** The service logs a warning at startup if `security.txt` expires within this number of milliseconds. */
const NOTICE = 30 * 86_400_000;

/**
 * Allows search engines to request short URLs. A response header tells search engines not to list these URLs, but
 * they see the header only if they may request the URLs.
 */
const ROBOTS = 'User-agent: *\nDisallow:\n';

/**
 * Reads the files that the operator has configured.
 *
 * @throws ConfigError with a message for each file that cannot be read or is invalid
 */
export function openVisitorFiles({ visitors }: Pick<Config, 'visitors'>, now: number, log: Log): VisitorFiles {
  const problems: string[] = [];
  const attempt = <Value>(read: () => Value): Value | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return null;
    }
  };
  const { homeUrl, unknownPage, gonePage, robotsFile, securityFile } = visitors;
  const unknown = attempt(() => (unknownPage ? ownPage('TERSE_UNKNOWN_PAGE', unknownPage) : null));
  const gone = attempt(() => (gonePage ? ownPage('TERSE_GONE_PAGE', gonePage) : null));
  const robots = attempt(() => (robotsFile ? readText('TERSE_ROBOTS_FILE', robotsFile) : null)) ?? ROBOTS;
  const security = attempt(() => (securityFile ? readSecurityTxt(securityFile) : null));
  if (problems.length > 0) throw new ConfigError(problems);
  if (security) warnOfExpiry(security, now, log);
  return { homeUrl, ownPages: { unknown, gone }, robots, security };
}

function ownPage(setting: string, { path, url }: { path?: string; url?: string }): OwnPage {
  if (url !== undefined) return { url };
  return { html: Buffer.from(readText(setting, path as string)) };
}

function readSecurityTxt(path: string): SecurityTxt {
  const read = parseSecurityTxt(readText('TERSE_SECURITY_FILE', path));
  if ('securityTxt' in read) return read.securityTxt;
  throw new ConfigError(read.problems.map((problem) => `TERSE_SECURITY_FILE, ${path}: it ${problem}`));
}

/**
 * Logs a warning if `security.txt` has expired or expires soon. Expiry is not an error, because the file can also
 * expire while the service is running.
 */
function warnOfExpiry({ expiresAt }: SecurityTxt, now: number, log: Log): void {
  const fields = { expires: new Date(expiresAt).toISOString() };
  if (expiresAt <= now) log('warn', 'security.txt has expired and is not served', fields);
  else if (expiresAt - now < NOTICE) log('warn', 'security.txt expires soon', fields);
}

function readText(setting: string, path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new ConfigError([`${setting} cannot be read: ${(error as Error).message}.`]);
  }
  if (bytes.length === 0) throw new ConfigError([`${setting}, ${path}: the file is empty.`]);
  if (bytes.length > MAX_PAGE_SIZE) throw new ConfigError([`${setting}, ${path}: the file is larger than 512 KiB.`]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError([`${setting}, ${path}: the file is not text in UTF-8.`]);
  }
}
