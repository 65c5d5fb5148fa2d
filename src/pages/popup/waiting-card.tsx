import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { cancelName, remedyLabel, retryName } from '../../components/unfinished-requests.tsx';
import { ServerMessage } from '../../components/url-and-title.tsx';
import { t } from '../../format/i18n.ts';
import { formatDateTime } from '../../format/relative-time.ts';
import { isAnswerPending, needsOtherUrl, statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/codes.ts';
import { isFaulty, type ListedRequest, type RequestStatus, remediesOf } from '../../queue/status.ts';
import type { Problem, Request } from '../../queue/types.ts';
import { EndButtons, SiteTile, Stage, StageMessage, StatusTile, TitleAndAddress, type Tone } from './card-layout.tsx';
import type { PopupStore } from './popup-store.ts';
import { ShortUrlHead } from './result-card.tsx';

/**
 * Longest rate-limit delay, in milliseconds, that the popup hides. During this delay, the popup shows the request as
 * being sent.
 */
const MOMENT_MS = 10_000;

/** Problems that the user can fix by changing an option of the link. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** Problems for which the server's message only repeats the extension's own message. */
const PLAIN = ['short_code_taken', 'generated_code_taken', 'expired', 'unauthorized'];

interface PendingCardProps {
  listed: ListedRequest;
  store: PopupStore;
}

/** Card of a request that has no link yet. */
export function PendingCard(props: PendingCardProps) {
  const { request, status, connection } = props.listed;
  const now = props.store.now.value;
  const shortUrl = promisedShortUrl(request, connection);
  const isSentSoon = status.kind === 'waiting' && status.reason === 'throttle' && (status.at ?? now) - now < MOMENT_MS;
  if (status.kind === 'sending' || isSentSoon) return <SendingCard {...props} />;
  const late = lateExpiry(request, status, now);
  // If the link will expire before it can be created, its short URL must not be copied.
  if (shortUrl !== null && late === null) return <EarlyUrlCard {...props} shortUrl={shortUrl} />;
  return <StatusCard {...props} late={late} />;
}

/**
 * Returns the expiry time of the link if the link would expire before the request is sent. Otherwise, returns null.
 */
function lateExpiry({ sent, options }: Request, status: RequestStatus, now: number): number | null {
  const expiresAt = Date.parse(sent?.item.expiresAt ?? options.expiresAt ?? '');
  const at = status.kind === 'waiting' ? (status.at ?? now) : null;
  return at !== null && expiresAt <= at ? expiresAt : null;
}

/** A button of a card: an action that changes the request, or a remedy. */
interface Action {
  icon: IconName;
  name: string;
  press: () => void;
}

/** The status of a request, the server's message, and buttons. */
function StatusCard({ listed, store, late }: PendingCardProps & { late: number | null }) {
  const { request, status } = listed;
  const { problem } = request;
  const isFailed = status.kind === 'failed';
  // If the result is uncertain, no button gets the focus, because Enter could create a second link by accident.
  const focus = useAutofocus<HTMLButtonElement>(request.id, status.kind !== 'uncertain');
  const [main, ...others] = actionsOf(listed, late !== null, store);
  const cancel = () => void store.cancel(request.id);
  return (
    <StageMessage
      store={store}
      icon={late === null ? statusIcon(status, problem) : 'warning'}
      tone={late === null ? toneOf(status, problem) : 'is-warning'}
      actions={
        main ? (
          <>
            <button type="button" class="button is-primary is-large" ref={focus} onClick={main.press}>
              {main.name}
            </button>
            {others.map((action) => (
              <IconButton key={action.name} {...action} />
            ))}
            <IconButton icon="trash" name={cancelName(listed)} press={cancel} />
          </>
        ) : (
          <button type="button" class="button is-large" onClick={cancel}>
            {t('cancel')}
          </button>
        )
      }
    >
      <p>
        {late === null
          ? statusMessage(status, problem, store.now.value)
          : t('expiresBefore', formatDateTime(late, store.now.value))}
      </p>
      {isFailed && problem?.message && !PLAIN.includes(problem.code) && (
        <p class="service-words">
          <ServerMessage text={problem.message} />
        </p>
      )}
    </StageMessage>
  );
}

/** Returns what the user can do about a request, best first: change what prevents it, or one of its remedies. */
function actionsOf({ request, status, connection }: ListedRequest, isLate: boolean, store: PopupStore): Action[] {
  const code = status.kind === 'failed' ? (request.problem?.code ?? '') : '';
  if (isLate || CHANGEABLE.includes(code)) {
    const press = () => store.customize({ options: request.options, insteadOf: request.id });
    return [{ icon: 'edit', name: t('customize'), press }];
  }
  const again = remediesOf(status).map((remedy) => ({
    icon: 'retry' as const,
    name: remedyLabel(remedy),
    press: () => store.apply(remedy, connection, request.id),
  }));
  if (status.kind !== 'failed' || !store.chosen.value) return again;
  const edit: Action = { icon: 'edit', name: t('editUrl'), press: () => store.editUrl(request.url, request.id) };
  return needsOtherUrl(code) ? [edit, ...again] : [...again, edit];
}

/**
 * Card of a request that is being sent. It looks like the card with the Shorten button, but its button is inactive.
 */
function SendingCard({ listed: { request }, store }: PendingCardProps) {
  const focus = useAutofocus<HTMLButtonElement>(request.id);
  const target = store.target.value;
  return (
    <Stage
      tile={<SiteTile target={target} />}
      head={<TitleAndAddress target={target} />}
      end={<EndButtons store={store} />}
      actions={
        <button type="button" class="button is-large is-sending" ref={focus} aria-disabled="true">
          {t('sending')}
        </button>
      }
      note={
        target.userInfoRemoved ? (
          <p class="is-warning">{t('userInfoRemoved')}</p>
        ) : (
          <p class="after-seconds">{t('popupCanClose')}</p>
        )
      }
      busy
    />
  );
}

/**
 * Card of a pending request whose short URL is already known. The user can copy this short URL, which works once the
 * request has been sent.
 */
function EarlyUrlCard({ listed, store, shortUrl }: PendingCardProps & { shortUrl: string }) {
  const { request, status, connection } = listed;
  const { target, copied, copy, qr } = store;
  const focus = useAutofocus<HTMLButtonElement>(request.id);
  const isCopied = copied.value === shortUrl;
  const again = remediesOf(status).find((remedy) => remedy === 'retry' || remedy === 'try_now');
  const canTry = again !== undefined && 'guessed' in status;
  // A request that was sent may already have created its link, unless the server could not be reached.
  const note = isAnswerPending(status, request.problem) ? null : { text: t('worksOnceSent'), tone: 'is-warning' };
  return (
    <Stage
      tile={<StatusTile icon={statusIcon(status, request.problem)} />}
      head={<ShortUrlHead target={target.value} shortUrl={shortUrl} note={note} />}
      end={<EndButtons store={store} />}
      actions={
        <>
          <button ref={focus} type="button" class="button is-large" onClick={() => void copy(shortUrl)}>
            <Icon name={isCopied ? 'check' : 'copy'} />
            {t(isCopied ? 'copyAgain' : 'copy')}
          </button>
          <IconButton
            icon="qr"
            name={t('qrTitle')}
            press={() => {
              qr.value = shortUrl;
            }}
          />
          {canTry && (
            <IconButton
              icon="retry"
              name={retryName(listed)}
              press={() => store.apply(again, connection, request.id)}
            />
          )}
          <IconButton icon="trash" name={cancelName(listed)} press={() => void store.cancel(request.id)} />
        </>
      }
      note={<p>{statusMessage(status, request.problem, store.now.value)}</p>}
    />
  );
}

/**
 * Returns the color of the tile: red if the user must act, amber if the request will be retried, gray if the request
 * is waiting normally.
 */
function toneOf(status: RequestStatus, problem: Problem | null): Tone {
  if (status.kind === 'failed' || status.kind === 'uncertain') return 'is-danger';
  return isFaulty(status, problem) ? 'is-warning' : '';
}

function statusIcon(status: RequestStatus, problem: Problem | null): IconName {
  if (status.kind === 'failed' || status.kind === 'uncertain') return 'warning';
  if (status.kind === 'sending') return 'clock';
  if (isFaulty(status, problem)) return 'warning';
  return status.reason === 'offline' ? 'offline' : 'clock';
}
