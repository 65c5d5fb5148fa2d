import { formatConnectionLink, KEY_SCOPES } from '@terse/contract';
import { runBackendCommand } from '../backend-process.ts';

/**
 * Creates a first API key and returns its connection link, or null if the database already has keys.
 *
 * @param environment TERSE_* variables of the backend
 */
export function firstConnectionLink(environment: Record<string, string>, baseUrl: string): string | null {
  // The first line of the output is the table's header.
  const hasKeys = runBackendCommand(environment, 'keys', 'list').split('\n').length > 1;
  if (hasKeys) return null;
  const apiKey = runBackendCommand(environment, 'keys', 'create', '--name', 'first key');
  return formatConnectionLink({ baseUrl, apiKey, scopes: KEY_SCOPES });
}
