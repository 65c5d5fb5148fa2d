import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatConnectionLink, KEY_SCOPES } from '@terse/contract';
import { runBackendCommand } from '../backend-process.ts';

/**
 * Returns the connection link of the first API key until the extension has connected, and null afterwards. The service
 * shows a key only once, so the key is stored in a file until then. Creates a key if there is none.
 *
 * @param environment TERSE_* variables of the backend
 * @param file path of the file that stores the key
 * @param isConnected true if the extension is connected; null if this is unknown, because this program has opened no
 * browser. A key that has been used then counts as connected.
 */
export function firstConnectionLink(
  environment: Record<string, string>,
  baseUrl: string,
  file: string,
  isConnected: boolean | null,
): string | null {
  const keys = listKeys(environment);
  const saved = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const known = keys.find(({ lastFour, isRevoked }) => !isRevoked && lastFour === saved?.slice(-4));
  if (isConnected ?? (known ? known.isUsed : keys.length > 0)) {
    rmSync(file, { force: true });
    return null;
  }
  const apiKey = known && saved ? saved : createKey(environment, file);
  return formatConnectionLink({ baseUrl, apiKey, scopes: KEY_SCOPES });
}

function createKey(environment: Record<string, string>, file: string): string {
  const apiKey = runBackendCommand(environment, 'keys', 'create', '--name', 'first key');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, apiKey, { mode: 0o600 });
  return apiKey;
}

interface ListedKey {
  lastFour: string;
  isUsed: boolean;
  isRevoked: boolean;
}

/** Reads the table of `keys list`. The first line is the header, and the last two columns are times or hyphens. */
function listKeys(environment: Record<string, string>): ListedKey[] {
  const [, ...lines] = runBackendCommand(environment, 'keys', 'list').split('\n');
  return lines.map((line) => {
    const columns = line.trim().split(/ +/);
    return { lastFour: columns[1]?.slice(1) ?? '', isUsed: columns.at(-2) !== '-', isRevoked: columns.at(-1) !== '-' };
  });
}
