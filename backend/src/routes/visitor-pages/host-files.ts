import type { ServerResponse } from 'node:http';
import type { Clock } from '../../domain/clock.ts';
import type { SecurityTxt } from '../../domain/security-txt.ts';

/** A file that every host of the web may have; what programs ask for before anything else. */
export type HostFile = (path: string) => string | null;

/** What goes with each of them. A mistake in one is out of the way within the hour. */
export const HOST_FILE_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'max-age=3600',
};

export const HOST_FILE_PATHS = ['/robots.txt', '/.well-known/security.txt'] as const;

/** The files of one host. An expired `security.txt` must not be used (RFC 9116, section 2.5.5), so it is not there. */
export function createHostFiles(files: { robots: string; security: SecurityTxt | null }, clock: Clock): HostFile {
  const [robots, security] = HOST_FILE_PATHS;
  return (path) => {
    if (path === robots) return files.robots;
    if (path !== security || !files.security) return null;
    return clock() < files.security.expiresAt ? files.security.text : null;
  };
}

export function sendHostFile(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { ...HOST_FILE_HEADERS, 'Content-Length': body.byteLength });
  response.end(body);
}
