import { formatConnectionLink, KEY_SCOPES } from '@terse/contract';
import { runBackendCommand } from '../backend-process.ts';

/**
 * Makes a first API key and returns its connection link; null where the database has keys already.
 *
 * @param environment the TERSE_* variables the backend runs with
 */
export function firstConnectionLink(environment: Record<string, string>, baseUrl: string): string | null {
  // The backend's own table of keys has one line more than there are keys.
  const hasKeys = runBackendCommand(environment, 'keys', 'list').split('\n').length > 1;
  if (hasKeys) return null;
  const apiKey = runBackendCommand(environment, 'keys', 'create', '--name', 'first key');
  return formatConnectionLink({ baseUrl, apiKey, scopes: KEY_SCOPES });
}
