import type { ComponentChild } from 'preact';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { Icon, IconButton, type IconName } from '../../../components/icons.tsx';
import { cancelName, tryAgain, tryAgainName } from '../../../components/request-buttons.tsx';
import { ServerMessage } from '../../../components/url-and-title.tsx';
import { t } from '../../../format/i18n.ts';
import { formatDateTime } from '../../../format/relative-time.ts';
import { isAnswerPending, needsOtherUrl, statusMessage } from '../../../format/status-text.ts';
import { promisedShortUrl } from '../../../queue/short-code-generator.ts';
import { isFaulty, type ListedRequest, type RequestStatus } from '../../../queue/status/request-status.ts';
import type { Problem, Queue, Request } from '../../../queue/types.ts';
import { blockMessage, isTriable, unblock, unblockName } from './blocked-queue-card.tsx';
import {
  type CardProps,
  SiteTile,
  Stage,
  StageMessage,
  StatusTile,
  TitleAndAddress,
  type Tone,
} from './card-layout.tsx';
import { ShortUrlHead } from './large-short-url.tsx';

/**
 * Returns the expiry time of the link if the link would expire before the request is sent. Otherwise, returns null.
 */
export function lateExpiry({ sent, options }: Request, status: RequestStatus, now: number): number | null {
  const expiresAt = Date.parse(sent?.item.expiresAt ?? options.expiresAt ?? '');
  const at = status.kind === 'waiting' ? (status.at ?? now) : null;
  return at !== null && expiresAt <= at ? expiresAt : null;
}

/**
 * Longest rate-limit delay, in milliseconds, that the popup hides. During this delay, the popup shows the request as
 * being sent.
 */
const MOMENT_MS = 10_000;

/** True if the request is being sent, or will be sent within a few seconds. */
function isSentSoon(status: RequestStatus, now: number): boolean {
  if (status.kind === 'sending') return true;
  return status.kind === 'waiting' && status.reason === 'throttle' && (status.at ?? now) - now < MOMENT_MS;
}

/** Problems that the user can fix by changing an option of the link. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** Problems that the user can fix by entering a different API key. */
const KEY_PROBLEMS = ['unauthorized', 'forbidden'];

/** Problems for which the server's message only repeats the extension's own message. */
const PLAIN = ['short_code_taken', 'generated_code_taken', 'expired', 'unauthorized'];

interface PendingCardProps extends CardProps, ListedRequest {
  /** Queue of the request. */
  queue: Queue;
  end: ComponentChild;
}

/** Card of a request that has no link yet: its status, the server's message, and buttons. */
export function PendingCard(props: PendingCardProps) {
  const { request, status, connection, queue, target, now, end, customize, editUrl, handlers } = props;
  // If the result is uncertain, no button gets the focus, because Enter could create a second link by accident.
  const focus = useAutofocus<HTMLButtonElement>(request.id, status.kind !== 'uncertain');
  if (isSentSoon(status, now)) return <SendingCard {...props} />;
  const shortUrl = promisedShortUrl(request, connection);
  const late = lateExpiry(request, status, now);
  // If the link will expire before it can be created, its short URL must not be copied.
  if (shortUrl !== null && late === null) return <WaitingCard {...props} shortUrl={shortUrl} />;

  const { problem } = request;
  const code = problem?.code ?? '';
  const isFailed = status.kind === 'failed';
  const isOver = isFailed || status.kind === 'uncertain';
  const edit = () => editUrl?.(request.url, request.id);
  const again = tryAgain(props, handlers);
  const isStopped = !isOver || (isFailed && KEY_PROBLEMS.includes(code));
  const blocked = isStopped ? queue.state.blocked : null;
  const strong =
    late !== null || (isFailed && CHANGEABLE.includes(code))
      ? { name: t('customize'), press: () => customize({ options: request.options, insteadOf: request.id }) }
      : isFailed && needsOtherUrl(code) && editUrl
        ? { name: t('editUrl'), press: edit }
        : blocked
          ? { name: unblockName(blocked), press: () => unblock(queue, blocked, handlers) }
          : again && { name: t(status.kind === 'uncertain' ? 'sendAgain' : 'tryAgain'), press: again };
  const isRetry = strong?.press === again;
  const canRetry = again !== null && !isRetry && !CHANGEABLE.includes(code);
  return (
    <StageMessage
      target={target}
      icon={late === null ? statusIcon(status, problem) : 'warning'}
      tone={late === null ? toneOf(status, problem, blocked !== null) : 'is-warning'}
      end={end}
      actions={
        <>
          {strong && (
            <button type="button" class="button is-primary is-large" ref={focus} onClick={strong.press}>
              {strong.name}
            </button>
          )}
          {blocked && isTriable(blocked) && !again && (
            <IconButton icon="retry" name={t('tryAgain')} press={() => handlers.tryNow(queue.connection.id)} />
          )}
          {canRetry && <IconButton icon="retry" name={tryAgainName(props)} press={again} />}
          {isFailed && isRetry && editUrl && <IconButton icon="edit" name={t('editUrl')} press={edit} />}
          {strong ? (
            <IconButton icon="trash" name={cancelName(props)} press={() => handlers.cancel(request.id)} />
          ) : (
            <button type="button" class="button is-large" onClick={() => handlers.cancel(request.id)}>
              {t('cancel')}
            </button>
          )}
        </>
      }
    >
      <p>
        {late !== null
          ? t('expiresBefore', formatDateTime(late, now))
          : blocked
            ? blockMessage(queue, blocked)
            : statusMessage(status, problem, now)}
      </p>
      {isFailed && problem?.message && !PLAIN.includes(problem.code) && (
        <p class="service-words">
          <ServerMessage text={problem.message} />
        </p>
      )}
    </StageMessage>
  );
}

/**
 * Card of a request that is being sent. It looks like the card with the Shorten button, but its button is inactive.
 */
function SendingCard({ request, target, end }: PendingCardProps) {
  const focus = useAutofocus<HTMLButtonElement>(request.id);
  return (
    <Stage
      tile={<SiteTile target={target} />}
      head={<TitleAndAddress target={target} />}
      end={end}
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
function WaitingCard({ shortUrl, ...props }: PendingCardProps & { shortUrl: string }) {
  const { request, status, target, now, clipboard, showQr, end, handlers } = props;
  const focus = useAutofocus<HTMLButtonElement>(request.id);
  const copied = clipboard.copied === shortUrl;
  const again = tryAgain(props, handlers);
  // A request that was sent may already have created its link, unless the server could not be reached.
  const note = isAnswerPending(status, request.problem) ? null : { text: t('worksOnceSent'), tone: 'is-warning' };
  return (
    <Stage
      tile={<StatusTile icon={statusIcon(status, request.problem)} />}
      head={<ShortUrlHead target={target} shortUrl={shortUrl} note={note} />}
      end={end}
      actions={
        <>
          <button ref={focus} type="button" class="button is-large" onClick={() => clipboard.copy(shortUrl)}>
            <Icon name={copied ? 'check' : 'copy'} />
            {t(copied ? 'copyAgain' : 'copy')}
          </button>
          <IconButton icon="qr" name={t('qrTitle')} press={() => showQr(shortUrl)} />
          {again && <IconButton icon="retry" name={tryAgainName(props)} press={again} />}
          <IconButton icon="trash" name={cancelName(props)} press={() => handlers.cancel(request.id)} />
        </>
      }
      note={<p>{statusMessage(status, request.problem, now)}</p>}
    />
  );
}

/**
 * Returns the color of the tile: red if the user must act, amber if the request will be retried, gray if the request
 * is waiting normally.
 */
function toneOf(status: RequestStatus, problem: Problem | null, isBlocked: boolean): Tone {
  if (status.kind === 'failed' || status.kind === 'uncertain' || isBlocked) return 'is-danger';
  return isFaulty(status, problem) ? 'is-warning' : '';
}

export function statusIcon(status: RequestStatus, problem: Problem | null): IconName {
  if (status.kind === 'failed' || status.kind === 'uncertain') return 'warning';
  if (status.kind === 'sending') return 'clock';
  if (isFaulty(status, problem)) return 'warning';
  return status.reason === 'offline' ? 'offline' : 'clock';
}
