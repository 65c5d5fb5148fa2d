import type { Standing } from '../queue/standing.ts';
import type { Request } from '../queue/types.ts';
import type { IconName } from '../ui/icons.tsx';
import { problemSentence, standingSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';
import { RequestButtons } from './request-buttons.tsx';
import { Said } from './said.tsx';

interface PendingCardProps {
  request: Request;
  standing: Standing;
  limit: number;
  now: number;
  actions: Actions;
}

/** A request that has not ended in a link: where it stands, what the service said, and what can be done. */
export function PendingCard({ request, standing, limit, now, actions }: PendingCardProps) {
  const stopped = standing.kind === 'failed' || standing.kind === 'undecided';
  const tone = standing.kind === 'failed' ? 'is-danger' : standing.kind === 'undecided' ? 'is-warning' : '';
  return (
    <Said icon={standingIcon(standing)} tone={tone} busy={standing.kind === 'sending'}>
      <p>{standingSentence(standing, request.problem, limit, now)}</p>
      {standing.kind === 'undecided' && request.problem && <p class="help">{problemSentence(request.problem)}</p>}
      {stopped && request.problem?.message && (
        <p class="service-words">
          {t('serviceSaid')}{' '}
          <q>
            <bdi title={request.problem.message}>{request.problem.message}</bdi>
          </q>
        </p>
      )}
      <RequestButtons request={request} standing={standing} actions={actions} />
    </Said>
  );
}

export function standingIcon(standing: Standing): IconName {
  if (standing.kind === 'failed' || standing.kind === 'undecided') return 'warning';
  if (standing.kind === 'sending') return 'clock';
  return standing.reason === 'offline' || standing.reason === 'unreachable' ? 'offline' : 'clock';
}
