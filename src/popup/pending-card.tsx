import type { FormTarget } from '../link-form/form-target.ts';
import { promisedUrl } from '../queue/mint.ts';
import type { RequestStatus } from '../queue/request-status.ts';
import { fill } from '../ui/fill.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import type { IconName } from '../ui/icons.tsx';
import { problemSentence, statusSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import { when } from '../ui/when.ts';
import { lateExpiry } from './late-expiry.ts';
import { MessageBox } from './message-box.tsx';
import { RequestButtons } from './request-buttons.tsx';
import { type Promised, WaitingCard } from './waiting-card.tsx';

/** What was refused for something that the person chose. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** Refusals of which the service can say no more than the popup does. */
const PLAIN = ['short_code_taken', 'expired'];

/** A request that has not ended in a link: where it stands, what the service said, and what can be done. */
export function PendingCard({ more, ...shown }: Promised & { more: ((about?: Partial<FormTarget>) => void) | null }) {
  const { now, clipboard, showQr, handlers, ...listed } = shown;
  const { request, status, limit, connection } = listed;
  // The form that it opens gives the focus back.
  const focus = useFocus<HTMLButtonElement>(request.id);
  const shortUrl = promisedUrl(request, connection);
  const late = lateExpiry(request, status, now);
  // A short URL that will not be sent is none to copy.
  if (shortUrl !== null && late === null) return <WaitingCard shortUrl={shortUrl} {...shown} />;
  const { problem, handedOut } = request;
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  const isChangeable = late !== null || (status.kind === 'failed' && CHANGEABLE.includes(problem?.code ?? ''));
  const tone =
    status.kind === 'failed' ? 'is-danger' : status.kind === 'undecided' || late !== null ? 'is-warning' : '';
  return (
    <MessageBox icon={late === null ? statusIcon(status) : 'warning'} tone={tone} busy={status.kind === 'sending'}>
      {late !== null && <p>{t('expiresBefore', when(late, now))}</p>}
      <p class={late === null ? '' : 'help'}>{statusSentence(status, problem, limit, now)}</p>
      {status.kind === 'undecided' && problem && <p class="help">{problemSentence(problem)}</p>}
      {handedOut !== undefined && status.kind !== 'undecided' && (
        <p class="result-warning">{t(isOver || late !== null ? 'handedOutDead' : 'replaced', handedOut)}</p>
      )}
      {isOver && problem?.message && !PLAIN.includes(problem.code) && (
        <p class="service-words">
          {fill(
            'serviceSaid',
            <q>
              <ForeignText text={problem.message} />
            </q>,
          )}
        </p>
      )}
      {isChangeable && more ? (
        <div class="actions">
          <button
            ref={focus}
            type="button"
            class="button"
            onClick={() => more({ options: request.options, insteadOf: request.id })}
          >
            {t('change')}
          </button>
          <button type="button" class="button is-quiet" onClick={() => handlers.cancel(request.id)}>
            {t(late === null ? 'dismiss' : 'cancel')}
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
