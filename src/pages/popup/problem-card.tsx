import { IconButton, type IconName } from '../../components/icons.tsx';
import { cancelName, remedyLabel } from '../../components/unfinished-requests.tsx';
import { ServerMessage } from '../../components/url-and-title.tsx';
import { t } from '../../format/i18n.ts';
import { isAnswerPending, needsOtherUrl, statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/sending.ts';
import { isFaulty, type ListedRequest, type Remedy, type RequestStatus, remediesOf } from '../../queue/status.ts';
import type { Problem } from '../../queue/types.ts';
import { Card, MainButton, ShortUrlHead, type StatusTile, Title } from './page-card.tsx';
import type { Failure, PopupState } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';

/** Why there is no link yet. */
interface Reason {
  tile: StatusTile;
  message: string;
  /** Problem with a message of the server. */
  problem?: Problem | null;
  /** Short URL that works once the request has been sent. */
  shortUrl?: string | null;
  /** Identifies the reason, see `MainButton`. */
  focusKey: string | null;
  /** Buttons for the user, the best one first. */
  actions: [Action, ...Action[]];
}

interface Action {
  icon: IconName;
  name: string;
  press: () => void;
}

interface ProblemCardProps {
  state: PopupState;
  store: PopupStore;
}

/** The title or the short URL of the page, and why there is no link yet. */
export function ProblemCard({ state, store }: ProblemCardProps) {
  const { tile, message, problem = null, shortUrl = null, focusKey, actions } = reasonOf(state, store);
  const { target, asking, isSentPrivately } = store;
  const [main, ...others] = actions;
  // A request that was sent may already have created its link, unless the server could not be reached.
  const isSent = state.kind === 'pending' && isAnswerPending(state.status, state.request.problem);
  const fact = isSent ? null : { text: t('worksOnceSent'), tone: 'is-warning' };
  const isQuiet = shortUrl !== null || main.icon === 'trash';
  const look = isSentPrivately.value ? 'is-sending' : isQuiet ? '' : 'is-primary';
  return (
    <Card
      store={store}
      tile={tile}
      head={
        <>
          {shortUrl === null ? (
            <h2 class="stage-title">{state.kind === 'connect' ? t('connectOnce') : <Title target={target.value} />}</h2>
          ) : (
            <ShortUrlHead target={target.value} shortUrl={shortUrl} fact={fact} />
          )}
          <p>{message}</p>
          <ServerMessage problem={problem} class="service-words" />
        </>
      }
    >
      <MainButton name={main.name} press={main.press} isBusy={asking.value !== null} {...{ focusKey, look }} />
      {others.map((action) => (
        <IconButton key={action.name} {...action} />
      ))}
    </Card>
  );
}

function reasonOf(state: PopupState, store: PopupStore): Reason {
  if (state.kind === 'pending') return requestReason(state, store);
  if (state.kind === 'failed') return failureReason(state, store);
  const connect: Action = { icon: 'server', name: t('connectService'), press: store.openWelcome };
  const tile = { icon: 'server', tone: 'is-good' } as const;
  return { tile, message: t('connectFirst'), focusKey: 'connect', actions: [connect] };
}

/** A command that led to no link and no request. The button tries it again, or leads to what must change first. */
function failureReason({ code, message, problem, isUncertain }: Failure, store: PopupStore): Reason {
  const { target, isSentPrivately, chosen, editUrl, openWelcome, askAgain, leave } = store;
  const againName = isSentPrivately.value ? 'sending' : isUncertain ? 'sendAgain' : 'tryAgain';
  const again: Action = { icon: 'retry', name: t(againName), press: askAgain };
  const connect: Action = { icon: 'server', name: t('connectService'), press: openWelcome };
  const edit: Action = { icon: 'edit', name: t('editUrl'), press: () => editUrl(target.value.original) };
  const close: Action = { icon: 'close', name: t('close'), press: leave };
  const main = needsOtherUrl(code) && chosen.value ? edit : code === 'no_connection' ? connect : again;
  return {
    tile: { icon: 'warning', tone: 'is-danger' },
    focusKey: isUncertain ? null : `${code} ${target.value.url}`,
    actions: code === 'lost' ? [main] : [main, close],
    ...{ message, problem },
  };
}

/** Problems that the user can fix by changing an option of the link. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** A request that has no link yet and is not being sent. */
function requestReason(listed: ListedRequest, store: PopupStore): Reason {
  const { request, status, connection } = listed;
  const { problem } = request;
  const shortUrl = promisedShortUrl(request, connection);
  const [best, ...others] = actionsOf(listed, shortUrl, store);
  const press = () => void store.change({ type: 'cancel', ids: [request.id] });
  const cancel: Action = { icon: 'trash', name: best ? cancelName(listed) : t('cancel'), press };
  return {
    tile: statusTile(status, problem),
    message: statusMessage(status, problem, store.now.value),
    problem: status.kind === 'failed' ? problem : null,
    shortUrl,
    // If the result is uncertain, Enter could create a second link. Without another action, it would cancel.
    focusKey: best && status.kind !== 'uncertain' ? request.id : null,
    actions: best ? [best, ...others, cancel] : [cancel],
  };
}

/** Returns what the user can do about a request, best first: change what prevents it, or one of its remedies. */
function actionsOf(
  { request, status, connection }: ListedRequest,
  shortUrl: string | null,
  store: PopupStore,
): Action[] {
  const code = status.kind === 'failed' ? (request.problem?.code ?? '') : '';
  if (CHANGEABLE.includes(code)) {
    const press = () => store.customize({ options: request.options, insteadOf: request.id });
    return [{ icon: 'edit', name: t('customize'), press }];
  }
  const again = remediesOf(status).map((remedy): Action => {
    const press = () => store.apply(remedy, connection, request.id);
    return { icon: OPENING.includes(remedy) ? 'options' : 'retry', name: remedyLabel(remedy), press };
  });
  if (shortUrl !== null) return [...copyActions(shortUrl, store), ...again];
  if (status.kind !== 'failed' || !store.chosen.value) return again;
  const edit: Action = { icon: 'edit', name: t('editUrl'), press: () => store.editUrl(request.url, request.id) };
  return needsOtherUrl(code) ? [edit, ...again] : [...again, edit];
}

/** Remedies that open the options page. */
const OPENING: Remedy[] = ['replace_key', 'open_options'];

/** Returns the buttons for a short URL that the user can copy before it works. */
function copyActions(shortUrl: string, { copied, copy, showQr }: PopupStore): Action[] {
  return [
    { icon: 'copy', name: t(copied.value === shortUrl ? 'copyAgain' : 'copy'), press: () => void copy(shortUrl) },
    { icon: 'qr', name: t('qrTitle'), press: () => showQr(shortUrl) },
  ];
}

/** Red if the user must act, amber if the request will be retried, gray if the request is waiting normally. */
function statusTile(status: RequestStatus, problem: Problem | null): StatusTile {
  if (status.kind === 'failed' || status.kind === 'uncertain') return { icon: 'warning', tone: 'is-danger' };
  if (isFaulty(status, problem)) return { icon: 'warning', tone: 'is-warning' };
  return { icon: 'reason' in status && status.reason === 'offline' ? 'offline' : 'clock' };
}
