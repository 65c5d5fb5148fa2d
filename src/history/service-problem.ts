import type { ServiceAnswer } from '../messages/messages.ts';

/** Why a service did not do what was asked of its links; each has sentences in `_locales` under `service_<problem>`. */
export type ServiceProblem =
  | 'no_connection'
  | 'permission'
  | 'unauthorized'
  | 'forbidden'
  | 'cannot_list'
  | 'gone'
  | 'throttled'
  | 'redirected'
  | 'unreachable'
  | 'not_understood'
  | 'refused';

/** What an answer says went wrong; null: nothing. */
export function serviceProblem(answer: ServiceAnswer): ServiceProblem | null {
  if (answer.problem) return answer.problem;
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'gone';
  if (status === 405) return 'cannot_list';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unreachable' : 'refused';
}
