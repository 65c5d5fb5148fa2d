import { displayText } from '../format/display-text.ts';
import { type MessageKey, t } from '../format/i18n.ts';
import { statusInList } from '../format/status-text.ts';
import { isStuck, promisedShortUrl } from '../queue/sending.ts';
import { type ListedRequest, type Remedy, remediesOf } from '../queue/status.ts';
import { CopyIcon, Icon, IconButton, type IconName } from './icons.tsx';
import type { PageStore } from './page-store.ts';
import { Address, ServerMessage, UntrustedText } from './url-and-title.tsx';

const LABELS: Record<Remedy, MessageKey> = {
  allow: 'allow',
  replace_key: 'replaceKey',
  open_options: 'openOptions',
  resume: 'goOn',
  try_now: 'tryNow',
  retry: 'tryAgain',
  send_again: 'sendAgain',
};

/** Returns the label of the button for a remedy. */
export function remedyLabel(remedy: Remedy): string {
  return t(LABELS[remedy]);
}

/** Returns the label of an icon button that sends a request again. */
export function retryName({ request, status }: ListedRequest): string {
  return t(status.kind === 'uncertain' ? 'sendAgainNamed' : 'tryAgainNamed', displayText(request.title, request.url));
}

/** Returns the label of the button that removes a request. */
export function cancelName({ request }: ListedRequest): string {
  return t(isStuck(request) ? 'dismissNamed' : 'cancelNamed', displayText(request.title, request.url));
}

interface RequestRowProps {
  listed: ListedRequest;
  /**
   * Text above the list about its waiting requests, which their rows do not repeat. Null if each row must say why it
   * waits.
   */
  common: string | null;
  /** Name of the connection. Null if the list does not need it. */
  connectionName?: string | null;
  /** True in the popup, whose rows have only icon buttons. */
  isCompact?: boolean;
  store: PageStore;
}

/** A request without a link: its status and its buttons. A request that is being sent cannot be canceled. */
export function RequestRow({ listed, common, connectionName = null, isCompact = false, store }: RequestRowProps) {
  const { request, status, connection } = listed;
  const { url, problem } = request;
  const title = displayText(request.title);
  const shortUrl = promisedShortUrl(request, connection);
  const waitsWithOthers = status.kind === 'waiting' && status.reason !== 'delayed';
  const note = common !== null && waitsWithOthers ? '' : statusInList(status, problem, store.now.value);
  return (
    <>
      {!isCompact && <Icon name={iconOf(listed)} class={`row-icon ${isStuck(request) ? 'is-danger' : ''}`} />}
      <div class="row-text">
        {title ? <UntrustedText class="line" text={title} hover={url} /> : <Address url={url} />}
        {title && isStuck(request) && !isCompact && <Address url={url} />}
        {connectionName !== null && <bdi class="row-connection line">{connectionName}</bdi>}
      </div>
      <span class={`row-note ${isStuck(request) ? 'is-danger' : ''}`}>
        {note !== common && note}
        {isStuck(request) && <ServerMessage problem={problem} class="row-message line" />}
      </span>
      <div class="row-buttons">
        {shortUrl !== null && <CopyIcon text={shortUrl} copier={store} isEarly />}
        <RequestButtons listed={listed} isCompact={isCompact} store={store} />
      </div>
    </>
  );
}

function RequestButtons({
  listed,
  isCompact,
  store,
}: Required<Pick<RequestRowProps, 'listed' | 'isCompact' | 'store'>>) {
  const { request, status, connection } = listed;
  const again = remediesOf(status).find((remedy) => remedy === 'retry' || remedy === 'send_again');
  const retry = () => again && store.apply(again, connection, request.id);
  return (
    <>
      {again && isCompact && <IconButton icon="retry" name={retryName(listed)} press={retry} />}
      {again && !isCompact && (
        <button type="button" class="button" aria-label={retryName(listed)} onClick={retry}>
          {remedyLabel(again)}
        </button>
      )}
      {status.kind !== 'sending' && (
        <IconButton
          icon="trash"
          class={isStuck(request) ? '' : 'is-on-hover'}
          name={cancelName(listed)}
          press={() => void store.change({ type: 'cancel', ids: [request.id] })}
        />
      )}
    </>
  );
}

function iconOf({ request, status }: ListedRequest): IconName {
  if (isStuck(request)) return 'warning';
  return status.kind === 'sending' ? 'up' : 'clock';
}
