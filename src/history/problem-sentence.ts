import { t } from '../ui/strings.ts';
import type { ServiceProblem } from './service-problem.ts';

/**
 * What stood in the way, and the way out of it.
 *
 * @param name what the connection is called
 * @param asked what was asked for: it says which permission a key lacks
 */
export function problemSentence(problem: ServiceProblem, name: string, asked: 'read' | 'manage'): string {
  switch (problem) {
    case 'no_connection':
      return t('refusal_no_connection');
    case 'permission':
    case 'unauthorized':
    case 'redirected':
      return t(`halt_${problem}`, name);
    case 'forbidden':
      return t(asked === 'read' ? 'serviceForbiddenRead' : 'serviceForbiddenManage', name);
    case 'cannot_list':
      return t('historyCannotList', name);
    case 'gone':
      return t('serviceGone', name);
    case 'throttled':
      return t('serviceThrottled', name);
    case 'unreachable':
      return t('serviceUnreachable', name);
    case 'not_understood':
      return t('serviceNotUnderstood', name);
    case 'refused':
      return t('serviceRefused', name);
  }
}
