import { IconButton } from '../../components/icons.tsx';
import { cancelName, remedyLabel, retryName } from '../../components/unfinished-requests.tsx';
import { t } from '../../format/i18n.ts';
import { isAnswerPending, needsOtherUrl, statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/sending.ts';
import { isFaulty, type ListedRequest, type RequestStatus, remediesOf } from '../../queue/status.ts';
import type { Problem } from '../../queue/types.ts';
import { type Action, Card, CopyButton, ProblemCard, ShortUrlHead, type StatusTile } from './card.tsx';
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
  const { request, status, connection } = listed;
  const { problem } = request;
  const shortUrl = promisedShortUrl(request, connection);
  if (shortUrl !== null) return <EarlyUrlCard {...{ listed, store, shortUrl }} />;
  const [best, ...others] = actionsOf(listed, store);
  const press = () => void store.cancel(request.id);
  const cancel: Action = { icon: 'trash', name: best ? cancelName(listed) : t('cancel'), press };
  const hasServerMessage = status.kind === 'failed' && !PLAIN.includes(problem?.code ?? '');
  return (
    <ProblemCard
      store={store}
      // If the result is uncertain, Enter could create a second link. Without another action, it would cancel.
      focusKey={best && status.kind !== 'uncertain' ? request.id : null}
      tile={statusTile(status, problem)}
      message={statusMessage(status, problem, store.now.value)}
      serverMessage={hasServerMessage ? (problem?.message ?? '') : ''}
      actions={best ? [best, ...others, cancel] : [cancel]}
      look={best ? 'is-primary' : ''}
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
function EarlyUrlCard({ listed, store, shortUrl }: RequestCardProps & { shortUrl: string }) {
  const { request, status, connection } = listed;
  const again = remediesOf(status).find((remedy) => remedy === 'retry' || remedy === 'try_now');
  const retry = () => again && store.apply(again, connection, request.id);
  // A request that was sent may already have created its link, unless the server could not be reached.
  const note = isAnswerPending(status, request.problem) ? null : { text: t('worksOnceSent'), tone: 'is-warning' };
  const showQr = () => {
    store.qr.value = shortUrl;
  };
  return (
    <Card
      store={store}
      tile={statusTile(status, request.problem)}
      head={<ShortUrlHead target={store.target.value} shortUrl={shortUrl} note={note} />}
      note={<p>{statusMessage(status, request.problem, store.now.value)}</p>}
    >
      <CopyButton focusKey={request.id} shortUrl={shortUrl} isEarly store={store} />
      <IconButton icon="qr" name={t('qrTitle')} press={showQr} />
      {again && 'guessed' in status && <IconButton icon="retry" name={retryName(listed)} press={retry} />}
      <IconButton icon="trash" name={cancelName(listed)} press={() => void store.cancel(request.id)} />
    </Card>
  );
}

/** Red if the user must act, amber if the request will be retried, gray if the request is waiting normally. */
function statusTile(status: RequestStatus, problem: Problem | null): StatusTile {
  if (status.kind === 'failed' || status.kind === 'uncertain') return { icon: 'warning', tone: 'is-danger' };
  if (isFaulty(status, problem)) return { icon: 'warning', tone: 'is-warning' };
  return { icon: 'reason' in status && status.reason === 'offline' ? 'offline' : 'clock' };
}
