import { useState } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { Icon } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { RequestRow } from '../../components/unfinished-requests.tsx';
import { ShortAddress } from '../../components/url-and-title.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import { statusAnnounced } from '../../format/status-text.ts';
import { isUnlimited } from '../../queue/limits.ts';
import { quotaLeft } from '../../queue/status.ts';
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
        {firstLink.kind === 'problem' && <Notice icon="warning" tone="is-danger" text={firstLink.text} />}
        {firstLink.kind === 'pending' && (
          <div class="row">
            <RequestRow listed={firstLink.listed} common={null} store={store} />
          </div>
        )}
        {firstLink.kind === 'done' && <Result shortUrl={firstLink.link.shortUrl} store={store} />}
      </div>
      {isDone && <p class="help">{shortcut ? t('welcomeEndKeys', shortcut) : t('welcomeEnd')}</p>}
      <Announcer text={outcomeAnnounced(firstLink)} />
    </section>
  );
}

/** Returns the result for a screen reader, without the countdowns in the visible text. */
function outcomeAnnounced(firstLink: FirstLink): string {
  if (firstLink.kind === 'problem') return firstLink.text;
  if (firstLink.kind === 'done') return t('ready', firstLink.link.shortUrl);
  if (firstLink.kind === 'none') return '';
  const { status, request } = firstLink.listed;
  return statusAnnounced(status, request.problem);
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
