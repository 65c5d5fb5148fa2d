import { useState } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { Icon } from '../../components/icons.tsx';
import { type FindingProps, Notice } from '../../components/notice.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { remedyLabel } from '../../components/unfinished-requests.tsx';
import { ShortAddress } from '../../components/url-and-title.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import { notShortenableMessage, statusAnnounced, statusMessage } from '../../format/status-text.ts';
import { isUnlimited } from '../../queue/limits.ts';
import { type ListedRequest, quotaLeft, remediesOf } from '../../queue/status.ts';
import type { Queue } from '../../queue/types.ts';
import type { FirstLink, WelcomeStore } from './welcome-store.ts';

const EXAMPLE = 'https://en.wikipedia.org/wiki/URL_shortening';

interface FirstLinkCardProps {
  queue: Queue;
  store: WelcomeStore;
}

/**
 * Form that creates the user's first link, and then shows its short URL. The form creates a real link on the server.
 */
export function FirstLinkCard({ queue, store }: FirstLinkCardProps) {
  const { shortcut, shorten } = store;
  const firstLink = store.firstLink.value;
  const isAsking = store.isAsking.value;
  const quota = quotaLeft(queue, store.now.value);
  const [text, setText] = useState(EXAMPLE);
  const isDone = firstLink.kind === 'done';
  const state = firstLink.kind === 'pending' ? firstLink.listed.status.kind : firstLink.kind;
  // When the buttons of the previous state disappear, the field receives focus.
  const field = useAutofocus<HTMLInputElement>(state, !isDone);
  const hasFailed = firstLink.kind === 'pending' && firstLink.listed.status.kind === 'failed';
  const isBusy = isAsking || (firstLink.kind === 'pending' && !hasFailed);
  return (
    <section class="card" aria-labelledby="first-link-title">
      <h2 id="first-link-title">{t(isDone ? 'welcomeFirstReady' : 'welcomeFirst')}</h2>
      {!isDone && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) void shorten(text);
          }}
        >
          <label class="visually-hidden" for="first-link">
            {t('welcomeFirstLabel')}
          </label>
          <div class="field-row">
            <input
              id="first-link"
              ref={field}
              class="input"
              type="url"
              inputMode="url"
              autocomplete="off"
              spellcheck={false}
              dir="ltr"
              value={text}
              aria-describedby="first-link-help"
              // The example is selected on focus, so that typing or pasting replaces it.
              onFocus={({ currentTarget }) => text === EXAMPLE && currentTarget.select()}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <button type="submit" class="button is-primary" aria-disabled={isBusy} aria-busy={isAsking}>
              {t('shorten')}
            </button>
          </div>
          {quota.left > 0 && !isUnlimited(quota.limit) && (
            <p id="first-link-help" class="help">
              {t('welcomeFirstHelp', formatNumber(quota.left))}
            </p>
          )}
        </form>
      )}
      <div class="connecting-result">
        <Outcome store={store} />
      </div>
      {isDone && <p class="help">{shortcut ? t('welcomeEndKeys', shortcut) : t('welcomeEnd')}</p>}
      <Announcer text={outcomeAnnounced(firstLink)} />
    </section>
  );
}

/** Returns the result for a screen reader, without the countdowns in the visible text. */
function outcomeAnnounced(firstLink: FirstLink): string {
  if (firstLink.kind === 'pending') return statusAnnounced(firstLink.listed.status, firstLink.listed.request.problem);
  if (firstLink.kind === 'done') return t('ready', firstLink.link.shortUrl);
  return noticeOf(firstLink, 0)?.text ?? '';
}

/** Returns the message about the last request. Null if there is no request, or if its link exists. */
function noticeOf(firstLink: FirstLink, now: number): FindingProps | null {
  const failure = (text: string): FindingProps => ({ icon: 'warning', tone: 'is-danger', text });
  if (firstLink.kind === 'refused') return failure(notShortenableMessage(firstLink.code));
  if (firstLink.kind === 'lost') return failure(t('noReply'));
  if (firstLink.kind !== 'pending') return null;
  const { request, status } = firstLink.listed;
  const text = statusMessage(status, request.problem, now);
  if (status.kind === 'failed') return failure(text);
  return status.kind === 'sending' ? { icon: 'clock', tone: 'is-busy', text } : { icon: 'warning', tone: '', text };
}

/** Result of the last request, with the buttons for the next step. */
function Outcome({ store }: { store: WelcomeStore }) {
  const firstLink = store.firstLink.value;
  const notice = noticeOf(firstLink, store.now.value);
  return (
    <>
      {notice && <Notice {...notice} />}
      {firstLink.kind === 'pending' && <PendingButtons listed={firstLink.listed} store={store} />}
      {firstLink.kind === 'lost' && (
        <button type="button" class="button" onClick={store.askAgain}>
          {t('tryAgain')}
        </button>
      )}
      {firstLink.kind === 'done' && <Result shortUrl={firstLink.link.shortUrl} store={store} />}
    </>
  );
}

interface PendingButtonsProps {
  listed: ListedRequest;
  store: WelcomeStore;
}

/**
 * Buttons of a request that is waiting or whose result is unknown. After a failure, the user corrects the URL in the
 * form above, so no buttons are needed.
 */
function PendingButtons({ listed: { request, status, connection }, store }: PendingButtonsProps) {
  const [remedy] = remediesOf(status);
  if (status.kind === 'sending' || status.kind === 'failed') return null;
  return (
    <div class="actions">
      {remedy && (
        <button type="button" class="button" onClick={() => store.apply(remedy, connection, request.id)}>
          {remedyLabel(remedy)}
        </button>
      )}
      <button type="button" class="button" onClick={() => void store.change({ type: 'cancel', ids: [request.id] })}>
        {t('cancel')}
      </button>
    </div>
  );
}

/** The short URL with its buttons. The first button gets the focus, because the form disappears. */
function Result({ shortUrl, store }: { shortUrl: string; store: WelcomeStore }) {
  const copyButton = useAutofocus<HTMLButtonElement>();
  const isCopied = store.copied.value === shortUrl;
  return (
    <>
      <p class="welcome-link">
        <ShortAddress url={shortUrl} />
      </p>
      <div class="actions">
        <button ref={copyButton} type="button" class="button is-primary" onClick={() => void store.copy(shortUrl)}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t(isCopied ? 'copied' : 'copy')}
        </button>
        <button type="button" class="button" onClick={() => store.open(shortUrl)}>
          <Icon name="open" />
          {t('open')}
        </button>
      </div>
    </>
  );
}
