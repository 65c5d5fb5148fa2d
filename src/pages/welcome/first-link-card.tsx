import { useState } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { useAutofocus } from '../../components/hooks/use-autofocus.ts';
import { Icon } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { ShortAddress } from '../../components/url-and-title.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import { notShortenableMessage, statusAnnounced, statusMessage } from '../../format/status-text.ts';
import { isUnlimited } from '../../queue/limits.ts';
import type { ListedRequest, QuotaLeft } from '../../queue/status/request-status.ts';
import type { FirstLink } from './use-first-link.ts';
import type { WelcomeActions } from './use-welcome-actions.ts';

const EXAMPLE = 'https://en.wikipedia.org/wiki/URL_shortening';

interface FirstLinkCardProps {
  firstLink: FirstLink;
  quota: QuotaLeft;
  /** True while a shorten command waits for the background worker to accept it. */
  isAsking: boolean;
  /** Keyboard shortcut that opens the popup; empty if there is none. */
  shortcut: string;
  now: number;
  clipboard: Clipboard;
  shorten: (text: string) => void;
  askAgain: () => void;
  handlers: Pick<WelcomeActions, 'open' | 'retry' | 'tryNow' | 'cancel'>;
}

/**
 * Form that creates the user's first link, and then shows its short URL. The form creates a real link on the server.
 */
export function FirstLinkCard({ firstLink, quota, isAsking, shortcut, shorten, ...rest }: FirstLinkCardProps) {
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
            if (!isBusy) shorten(text);
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
        <Outcome firstLink={firstLink} {...rest} />
      </div>
      {isDone && <p class="help">{shortcut ? t('welcomeEndKeys', shortcut) : t('welcomeEnd')}</p>}
      <Announcer text={outcomeAnnounced(firstLink)} />
    </section>
  );
}

/** Returns the result for a screen reader, without the countdowns in the visible text. */
function outcomeAnnounced(firstLink: FirstLink): string {
  switch (firstLink.kind) {
    case 'none':
      return '';
    case 'pending':
      return statusAnnounced(firstLink.listed.status, firstLink.listed.request.problem);
    case 'refused':
      return notShortenableMessage(firstLink.code);
    case 'lost':
      return t('noReply');
    case 'done':
      return t('ready', firstLink.link.shortUrl);
  }
}

type OutcomeProps = Pick<FirstLinkCardProps, 'firstLink' | 'now' | 'clipboard' | 'askAgain' | 'handlers'>;

function Outcome({ firstLink, now, clipboard, askAgain, handlers }: OutcomeProps) {
  switch (firstLink.kind) {
    case 'none':
      return null;
    case 'pending': {
      const { request, status } = firstLink.listed;
      const isSending = status.kind === 'sending';
      return (
        <>
          <Notice
            icon={isSending ? 'clock' : 'warning'}
            tone={isSending ? 'is-busy' : status.kind === 'failed' ? 'is-danger' : ''}
            text={statusMessage(status, request.problem, now)}
          />
          {/* After a failure, the user corrects the URL in the form above, so no buttons are needed. */}
          {!isSending && status.kind !== 'failed' && <PendingButtons listed={firstLink.listed} handlers={handlers} />}
        </>
      );
    }
    case 'refused':
      return <Notice icon="warning" tone="is-danger" text={notShortenableMessage(firstLink.code)} />;
    case 'lost':
      return (
        <>
          <Notice icon="warning" tone="is-danger" text={t('noReply')} />
          <button type="button" class="button" onClick={askAgain}>
            {t('tryAgain')}
          </button>
        </>
      );
    case 'done':
      return <Result shortUrl={firstLink.link.shortUrl} clipboard={clipboard} open={handlers.open} />;
  }
}

interface PendingButtonsProps {
  listed: ListedRequest;
  handlers: FirstLinkCardProps['handlers'];
}

/** Buttons of a request that is waiting or whose result is unknown. */
function PendingButtons({ listed, handlers }: PendingButtonsProps) {
  const again = tryAgain({ listed, handlers });
  return (
    <div class="actions">
      {again && (
        <button type="button" class="button" onClick={again}>
          {t(listed.status.kind === 'uncertain' ? 'sendAgain' : 'tryAgain')}
        </button>
      )}
      <button type="button" class="button" onClick={() => handlers.cancel([listed.request.id])}>
        {t('cancel')}
      </button>
    </div>
  );
}

/**
 * Returns the action of a request's "Try again" button. Null if the request cannot be retried. If the whole queue is
 * delayed, the action retries the queue; otherwise, it retries only this request.
 */
function tryAgain({ listed: { request, status, connection }, handlers }: PendingButtonsProps): (() => void) | null {
  const retry = () => handlers.retry(request.id);
  if (status.kind === 'uncertain') return retry;
  if (!('guessed' in status)) return null;
  return status.reason === 'delayed' ? retry : () => handlers.tryNow(connection.id);
}

interface ResultProps {
  shortUrl: string;
  clipboard: Clipboard;
  open: WelcomeActions['open'];
}

/** The short URL with its buttons. The first button gets the focus, because the form disappears. */
function Result({ shortUrl, clipboard, open }: ResultProps) {
  const copyButton = useAutofocus<HTMLButtonElement>();
  const isCopied = clipboard.copied === shortUrl;
  return (
    <>
      <p class="welcome-link">
        <ShortAddress url={shortUrl} />
      </p>
      <div class="actions">
        <button ref={copyButton} type="button" class="button is-primary" onClick={() => clipboard.copy(shortUrl)}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t(isCopied ? 'copied' : 'copy')}
        </button>
        <button type="button" class="button" onClick={() => open(shortUrl)}>
          <Icon name="open" />
          {t('open')}
        </button>
      </div>
    </>
  );
}
