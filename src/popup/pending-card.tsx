import type { FormTarget } from '../link-form/form-target.ts';
import { promisedUrl } from '../queue/mint.ts';
import type { RequestStatus } from '../queue/request-status.ts';
import { fill } from '../ui/fill.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import type { IconName } from '../ui/icons.tsx';
import { problemSentence, statusSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import { LateExpiry } from './late-expiry.tsx';
import { MessageBox } from './message-box.tsx';
import { RequestButtons } from './request-buttons.tsx';
import { type Promised, WaitingCard } from './waiting-card.tsx';

/** What was refused for something that the person chose. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** A request that has not ended in a link: where it stands, what the service said, and what can be done. */
export function PendingCard({ more, ...shown }: Promised & { more: ((about?: Partial<FormTarget>) => void) | null }) {
  const { now, clipboard, showQr, handlers, ...listed } = shown;
  const { request, status, limit, connection } = listed;
  const shortUrl = promisedUrl(request, connection);
  if (shortUrl !== null) return <WaitingCard shortUrl={shortUrl} {...shown} />;
  const { problem, handedOut } = request;
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  const tone = status.kind === 'failed' ? 'is-danger' : status.kind === 'undecided' ? 'is-warning' : '';
  return (
    <MessageBox icon={statusIcon(status)} tone={tone} busy={status.kind === 'sending'}>
      <p>{statusSentence(status, problem, limit, now)}</p>
      {status.kind === 'undecided' && problem && <p class="help">{problemSentence(problem)}</p>}
      {handedOut !== undefined && status.kind !== 'undecided' && (
        <p class="result-warning">{t(isOver ? 'handedOutDead' : 'replaced', handedOut)}</p>
      )}
      {isOver && problem?.message && (
        <p class="service-words">
          {fill(
            'serviceSaid',
            <q>
              <ForeignText text={problem.message} />
            </q>,
          )}
        </p>
      )}
      <LateExpiry request={request} status={status} now={now} />
      {status.kind === 'failed' && more && CHANGEABLE.includes(problem?.code ?? '') ? (
        <div class="actions">
          <button
            type="button"
            class="button"
            onClick={() => more({ options: request.options, insteadOf: request.id })}
          >
            {t('change')}
          </button>
          <button type="button" class="button is-quiet" onClick={() => handlers.cancel(request.id)}>
            {t('dismiss')}
          </button>
        </div>
      ) : (
        <RequestButtons {...listed} handlers={handlers} />
      )}
    </MessageBox>
  );
}

export function statusIcon(status: RequestStatus): IconName {
  if (status.kind === 'failed' || status.kind === 'undecided') return 'warning';
  if (status.kind === 'sending') return 'clock';
  return status.reason === 'offline' || status.reason === 'unreachable' ? 'offline' : 'clock';
}
