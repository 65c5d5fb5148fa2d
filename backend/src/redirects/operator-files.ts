import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../config/environment.ts';
import { parseSecurityTxt, type SecurityTxt } from '../http/robots-and-security-txt.ts';
import type { Log } from '../log/json-log.ts';
import type { OwnPage, OwnPages } from './error-pages.ts';

/** What the operator has for visitors and programs that meet the hosts themselves, read once. */
export interface VisitorFiles {
  /** Where the bare short host leads; null where it is an unknown link like any other. */
  homeUrl: string | null;
  ownPages: OwnPages;
  /** The `robots.txt` of the short host. */
  robots: string;
  /** Null where there is none. */
  security: SecurityTxt | null;
}

/** A page larger than that is a mistake: it is sent whole to everybody with a wrong link. In bytes. */
const LARGEST = 512 * 1024;

/** How long before a `security.txt` expires the log says so, in milliseconds. */
const NOTICE = 30 * 86_400_000;

/**
 * Short URLs may be followed: a program that draws a preview, or a search engine that counts who points where, has to open
 * them. That they are not to be listed themselves they say in a header, which is read only where they may be opened.
 */
const ROBOTS = 'User-agent: *\nDisallow:\n';

/**
 * Reads the files that the settings name.
 *
 * @throws ConfigError naming every file that cannot be read or is not what it should be
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

/** It expires while the service runs, too, so that an old one keeps no service from starting. */
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
  if (bytes.length > LARGEST) throw new ConfigError([`${setting}, ${path}: the file is larger than 512 KiB.`]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError([`${setting}, ${path}: the file is not text in UTF-8.`]);
  }
}
