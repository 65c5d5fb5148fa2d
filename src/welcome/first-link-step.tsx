import { useState } from 'preact/hooks';
import type { WaitReason } from '../queue/request-status.ts';
import { ShortAddress } from '../ui/address.tsx';
import { Announcer } from '../ui/announcer.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { Finding } from '../ui/finding.tsx';
import { Icon } from '../ui/icons.tsx';
import { refusalSentence, statusAnnounced, statusSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import { Step } from './step.tsx';
import type { FirstLink } from './use-first-link.ts';

/** An address that everybody may shorten, and that says what this is about. */
const EXAMPLE = 'https://en.wikipedia.org/wiki/URL_shortening';

/** What a person ends in the options. */
const ENDS_IN_OPTIONS: ReadonlySet<WaitReason> = new Set([
  'no_connection',
  'unauthorized',
  'key_missing',
  'not_a_service',
  'redirected',
  'permission',
]);

interface FirstLinkStepProps {
  at: number;
  connected: boolean;
  firstLink: FirstLink;
  /** It is being asked for, and not accepted yet. */
  isAsking: boolean;
  now: number;
  clipboard: Clipboard;
  shorten: (text: string) => void;
  askAgain: () => void;
  open: (url: string) => void;
  openOptions: () => void;
}

/** The first link, made right here. It is a real one. */
export function FirstLinkStep({ at, connected, firstLink, isAsking, shorten, ...rest }: FirstLinkStepProps) {
  const [text, setText] = useState(EXAMPLE);
  const hasFailed = firstLink.kind === 'pending' && firstLink.listed.status.kind === 'failed';
  const busy = isAsking || (firstLink.kind === 'pending' && !hasFailed);
  return (
    <Step at={at} title={t('welcomeFirst')} done={firstLink.kind === 'done'}>
      {firstLink.kind !== 'done' && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (connected && !busy) shorten(text);
          }}
        >
          <div class="field">
            <label for="first-link">{t('welcomeFirstLabel')}</label>
            <div class="field-row">
              <input
                id="first-link"
                class="input"
                type="url"
                inputMode="url"
                autocomplete="off"
                spellcheck={false}
                dir="ltr"
                value={text}
                aria-describedby="first-link-help"
                onInput={(event) => setText(event.currentTarget.value)}
              />
              <button type="submit" class="button is-primary" aria-disabled={!connected || busy} aria-busy={isAsking}>
                {t('shorten')}
              </button>
            </div>
            <p id="first-link-help" class="help">
              {t(connected ? 'welcomeFirstHelp' : 'welcomeFirstNotYet')}
            </p>
          </div>
        </form>
      )}
      <div class="connecting-result">
        <Outcome firstLink={firstLink} {...rest} />
      </div>
      <Announcer text={outcomeAnnounced(firstLink)} />
    </Step>
  );
}

/** Outcome for a screen reader, without the running times of the visible text. */
function outcomeAnnounced(firstLink: FirstLink): string {
  switch (firstLink.kind) {
    case 'none':
      return '';
    case 'pending':
      return statusAnnounced(firstLink.listed.status, firstLink.listed.request.problem);
    case 'refused':
      return refusalSentence(firstLink.code);
    case 'lost':
      return t('noReply');
    case 'done':
      return t('ready', firstLink.link.shortUrl);
  }
}

type OutcomeProps = Pick<FirstLinkStepProps, 'firstLink' | 'now' | 'clipboard' | 'askAgain' | 'open' | 'openOptions'>;

function Outcome({ firstLink, now, clipboard, askAgain, open, openOptions }: OutcomeProps) {
  switch (firstLink.kind) {
    case 'none':
      return null;
    case 'pending': {
      const { request, status, limit } = firstLink.listed;
      const isOnItsWay = status.kind === 'sending';
      const needsOptions = 'reason' in status && ENDS_IN_OPTIONS.has(status.reason);
      return (
        <>
          <Finding
            icon={isOnItsWay ? 'clock' : 'warning'}
            tone={isOnItsWay ? 'is-busy' : status.kind === 'failed' ? 'is-danger' : ''}
            text={statusSentence(status, request.problem, limit, now)}
          />
          {needsOptions && (
            <button type="button" class="button" onClick={openOptions}>
              {t('openOptions')}
            </button>
          )}
        </>
      );
    }
    case 'refused':
      return <Finding icon="warning" tone="is-danger" text={refusalSentence(firstLink.code)} />;
    case 'lost':
      return (
        <>
          <Finding icon="warning" tone="is-danger" text={t('noReply')} />
          <button type="button" class="button" onClick={askAgain}>
            {t('tryAgain')}
          </button>
        </>
      );
    case 'done': {
      const { shortUrl } = firstLink.link;
      const copied = clipboard.copied === shortUrl;
      return (
        <>
          <p class="welcome-link">
            <ShortAddress url={shortUrl} />
          </p>
          <div class="actions">
            <button
              type="button"
              class={`button is-primary ${copied ? 'is-done' : ''}`}
              onClick={() => clipboard.copy(shortUrl)}
            >
              <Icon name={copied ? 'check' : 'copy'} />
              {t(copied ? 'copied' : 'copy')}
            </button>
            <button type="button" class="button" onClick={() => open(shortUrl)}>
              <Icon name="open" />
              {t('open')}
            </button>
          </div>
        </>
      );
    }
  }
}
