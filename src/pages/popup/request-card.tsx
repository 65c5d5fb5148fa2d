import { cancelName, remedyLabel, retryName } from '../../components/unfinished-requests.tsx';
import { t } from '../../format/i18n.ts';
import { isAnswerPending, needsOtherUrl, statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/codes.ts';
import { isFaulty, type ListedRequest, type RequestStatus, remediesOf } from '../../queue/status.ts';
import type { Problem } from '../../queue/types.ts';
import { type Action, Card, copyAction, ShortUrlHead, type StatusTile, TitleAndMessage } from './card.tsx';
import type { PopupStore } from './popup-store.ts';

/** Problems that the user can fix by changing an option of the link. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** Problems for which the server's message only repeats the extension's own message. */
const PLAIN = ['short_code_taken', 'generated_code_taken', 'expired', 'unauthorized'];

interface RequestCardProps {
  listed: ListedRequest;
  store: PopupStore;
}

/** Card of a request that has no link yet and is not being sent. */
export function RequestCard({ listed, store }: RequestCardProps) {
  const { request, connection } = listed;
  const shortUrl = promisedShortUrl(request, connection);
  const cancel: Action = { icon: 'trash', name: cancelName(listed), press: () => void store.cancel(request.id) };
  return shortUrl === null ? (
    <StatusCard {...{ listed, store, cancel }} />
  ) : (
    <EarlyUrlCard {...{ listed, store, shortUrl, cancel }} />
  );
}

/** The status of a request, the server's message, and buttons. */
function StatusCard({ listed, store, cancel }: RequestCardProps & { cancel: Action }) {
  const { request, status } = listed;
  const { problem } = request;
  const [main, ...others] = actionsOf(listed, store);
  const hasServerMessage = status.kind === 'failed' && !PLAIN.includes(problem?.code ?? '');
  return (
    <Card
      store={store}
      // If the result is uncertain, Enter could create a second link. Without a main button, it would cancel.
      focusKey={main && status.kind !== 'uncertain' ? request.id : null}
      tile={statusTile(status, problem)}
      head={
        <TitleAndMessage
          target={store.target.value}
          message={statusMessage(status, problem, store.now.value)}
          serverMessage={hasServerMessage ? (problem?.message ?? '') : ''}
        />
      }
      main={main ? { name: main.name, press: main.press } : { name: t('cancel'), press: cancel.press, look: '' }}
      others={main ? [...others, cancel] : []}
    />
  );
}

/** Returns what the user can do about a request, best first: change what prevents it, or one of its remedies. */
function actionsOf({ request, status, connection }: ListedRequest, store: PopupStore): Action[] {
  const code = status.kind === 'failed' ? (request.problem?.code ?? '') : '';
  if (CHANGEABLE.includes(code)) {
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
 * Card of a pending request whose short URL is already known. The user can copy this short URL, which works once the
 * request has been sent.
 */
function EarlyUrlCard({ listed, store, shortUrl, cancel }: RequestCardProps & { shortUrl: string; cancel: Action }) {
  const { request, status, connection } = listed;
  const again = remediesOf(status).find((remedy) => remedy === 'retry' || remedy === 'try_now');
  const retry = { icon: 'retry', name: retryName(listed) } as const;
  // A request that was sent may already have created its link, unless the server could not be reached.
  const note = isAnswerPending(status, request.problem) ? null : { text: t('worksOnceSent'), tone: 'is-warning' };
  const showQr = () => {
    store.qr.value = shortUrl;
  };
  return (
    <Card
      store={store}
      focusKey={request.id}
      tile={statusTile(status, request.problem)}
      head={<ShortUrlHead target={store.target.value} shortUrl={shortUrl} note={note} />}
      main={{ ...copyAction(shortUrl, store), look: '' }}
      others={[
        { icon: 'qr', name: t('qrTitle'), press: showQr },
        ...(again && 'guessed' in status
          ? [{ ...retry, press: () => store.apply(again, connection, request.id) }]
          : []),
        cancel,
      ]}
      note={<p>{statusMessage(status, request.problem, store.now.value)}</p>}
    />
  );
}

/** Red if the user must act, amber if the request will be retried, gray if the request is waiting normally. */
function statusTile(status: RequestStatus, problem: Problem | null): StatusTile {
  if (status.kind === 'failed' || status.kind === 'uncertain') return { icon: 'warning', tone: 'is-danger' };
  if (isFaulty(status, problem)) return { icon: 'warning', tone: 'is-warning' };
  return { icon: 'reason' in status && status.reason === 'offline' ? 'offline' : 'clock' };
}
