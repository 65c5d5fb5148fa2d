import { t } from '../../format/i18n.ts';
import type { Queue } from '../../queue/types.ts';

/** Problem with a stored connection, and the form field in which the user can fix the problem. */
export interface ConnectionTrouble {
  field: 'address' | 'key';
  text: string;
  /** False if Terse retries automatically. */
  needsUser: boolean;
}

/**
 * Returns the connection's problem, or null if there is none. Rate limits, a busy server and a pause by the user do
 * not count as problems.
 */
export function connectionTrouble({ connection, state }: Queue): ConnectionTrouble | null {
  switch (state.blocked) {
    case 'unauthorized': {
      const { lastFour } = connection;
      const text = lastFour ? t('keyRefusedNamed', lastFour) : t('keyRefusedHelp');
      return { field: 'key', text, needsUser: true };
    }
    case 'forbidden':
      return { field: 'key', text: t('refusal_key_forbidden'), needsUser: true };
    case 'key_missing':
      return { field: 'key', text: t('keyMissingHelp'), needsUser: true };
    case 'permission':
      return { field: 'address', text: t('accessMissingHelp'), needsUser: true };
    case 'not_a_service':
      return { field: 'address', text: t('notAServiceHelp'), needsUser: true };
    case 'redirected':
      return { field: 'address', text: t('test_redirected'), needsUser: true };
    case null:
      break;
  }
  if (state.wait?.reason === 'unreachable') {
    return { field: 'address', text: t('notReachableHelp'), needsUser: false };
  }
  return null;
}
