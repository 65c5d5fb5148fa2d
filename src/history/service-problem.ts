import { ErrorBody, ownErrorCode } from '@terse/contract/errors';
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

/** Returns what an answer says went wrong; null if nothing did. A gateway's own page is an answer not understood. */
export function serviceProblem(answer: ServiceAnswer): ServiceProblem | null {
  if (answer.problem) return answer.problem;
  const { status, body } = answer;
  if (status >= 200 && status < 300) return null;
  if (status === 429) return 'throttled';
  if (status >= 500) return 'unreachable';
  const code = ownErrorCode(status, body);
  if (code === 'not_found' || code === 'gone') return 'gone';
  if (!ErrorBody.safeParse(body).success || status === 404 || status === 410) return 'not_understood';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 405 ? 'cannot_list' : 'refused';
}
