import { useCallback, useRef, useState } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { type ShortenProgress, useShorten } from '../../components/hooks/use-shorten.ts';
import { type Stored, useLinks } from '../../components/hooks/use-stored-data.ts';
import { Icon } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { ShortAddress } from '../../components/url-and-title.tsx';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage, statusAnnounced, statusMessage } from '../../format/status-text.ts';
import type { RefusalCode } from '../../messages/protocol.ts';
import { type ListedRequest, listRequests, type WaitReason } from '../../queue/status/request-status.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { type NotShortenable, typedTarget } from '../../urls/shortenable-url.ts';
import { Step } from './welcome-step.tsx';

/** Example URL that anyone may shorten. It explains the subject. */
const EXAMPLE = 'https://en.wikipedia.org/wiki/URL_shortening';

/** Reasons for waiting that the user resolves on the options page. */
const ENDS_IN_OPTIONS: ReadonlySet<WaitReason> = new Set([
  'no_connection',
  'unauthorized',
  'forbidden',
  'key_missing',
  'not_a_service',
  'redirected',
  'permission',
]);

interface FirstLinkStepProps {
  at: number;
  connected: boolean;
  firstLink: FirstLink;
  /** True until the background accepts the command. */
  isAsking: boolean;
  now: number;
  clipboard: Clipboard;
  shorten: (text: string) => void;
  askAgain: () => void;
  open: (url: string) => void;
  openOptions: () => void;
}

/** Step that creates the first link. It is a real one. */
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

/** Returns the result for a screen reader, without the running times of the visible text. */
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

type OutcomeProps = Pick<FirstLinkStepProps, 'firstLink' | 'now' | 'clipboard' | 'askAgain' | 'open' | 'openOptions'>;

function Outcome({ firstLink, now, clipboard, askAgain, open, openOptions }: OutcomeProps) {
  switch (firstLink.kind) {
    case 'none':
      return null;
    case 'pending': {
      const { request, status } = firstLink.listed;
      const isOnItsWay = status.kind === 'sending';
      const needsOptions = 'reason' in status && ENDS_IN_OPTIONS.has(status.reason);
      return (
        <>
          <Notice
            icon={isOnItsWay ? 'clock' : 'warning'}
            tone={isOnItsWay ? 'is-busy' : status.kind === 'failed' ? 'is-danger' : ''}
            text={statusMessage(status, request.problem, now)}
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

/** State of the first link. */
export type FirstLink =
  | { kind: 'none' }
  | { kind: 'pending'; listed: ListedRequest }
  | { kind: 'done'; link: Link }
  | { kind: 'refused'; code: RefusalCode | NotShortenable }
  /** The background never replied. */
  | { kind: 'lost' };

/** Requests one short URL and follows it until it is done. A corrected URL replaces the failed request. */
export function useFirstLink(isPrivate: boolean, queues: Stored<VisibleQueues>, now: number, online: boolean) {
  const asked = useRef<ShortenProgress | null>(null);
  const [blocked, setBlocked] = useState<NotShortenable | null>(null);
  const links = useLinks(isPrivate, () => queryOf(asked.current), []);
  const refresh = useCallback(
    (order: ShortenProgress) => {
      asked.current = order;
      return Promise.all([queues.refresh(), links.refresh(queryOf(order))]);
    },
    [queues.refresh, links.refresh],
  );
  const { order, asking, place, askAgain } = useShorten(null, isPrivate, refresh);
  asked.current = order;

  const found = stateOf(order, queues.value, links.value);
  const shorten = async (text: string) => {
    const target = typedTarget(text, () => false);
    setBlocked('blocked' in target ? target.blocked : null);
    if (!('url' in target)) return;
    const hasFailed = found.kind === 'pending' && found.listed.status.kind === 'failed';
    const insteadOf = hasFailed ? found.listed.request.id : undefined;
    await place({ ...target, title: '', connectionId: null, options: null, anew: false, insteadOf });
  };
  const firstLink: FirstLink = blocked ? { kind: 'refused', code: blocked } : found;
  return { firstLink, isAsking: asking !== null, shorten, askAgain };

  function stateOf(placed: ShortenProgress | null, view: VisibleQueues, known: Link[]): FirstLink {
    if (!placed) return { kind: 'none' };
    if (placed.state === 'refused') return { kind: 'refused', code: placed.code };
    if (placed.state === 'lost') return { kind: 'lost' };
    const link = known.find(({ id }) => id === placed.resultId);
    if (link) return { kind: 'done', link };
    const requests = listRequests(view, { now, workerId: 'page' }, online);
    const listed = requests.find(({ request }) => request.id === placed.resultId);
    return listed ? { kind: 'pending', listed } : { kind: 'none' };
  }
}

function queryOf(order: ShortenProgress | null) {
  return { latest: 0, ids: order ? [order.resultId] : [] };
}
