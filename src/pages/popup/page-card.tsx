import { Icon } from '../../components/icons.tsx';
import { Address } from '../../components/url-and-title.tsx';
import { otherHost } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { needsOtherUrl } from '../../format/status-text.ts';
import type { Link } from '../../queue/types.ts';
import { Card, CopyButton, MainButton, ProblemCard, ShortUrlHead, Title } from './card.tsx';
import { failureMessage, isSentSoon, type PopupState } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';
import { RequestCard } from './request-card.tsx';
import { UrlField } from './url-field.tsx';

/** Main area of the popup. */
export function PageCard({ store }: { store: PopupStore }) {
  const state = store.state.value;
  if (state.kind === 'blocked' || store.draft.value) return <UrlField store={store} />;
  switch (state.kind) {
    case 'ready':
      return <ReadyCard store={store} />;
    case 'pending':
      return isSentSoon(state.status, store.now.value) ? (
        <ReadyCard sendingId={state.request.id} store={store} />
      ) : (
        <RequestCard listed={state} store={store} />
      );
    case 'done':
      return <ResultCard link={state.link} store={store} />;
    case 'connect':
      return <ConnectCard store={store} />;
    default:
      return <FailureCard state={state} store={store} />;
  }
}

/** The page's title and the button that shortens the page. While the request is sent, the button is inactive. */
function ReadyCard({ store, sendingId }: { store: PopupStore; sendingId?: string }) {
  const { tab, target, chosen, asking, isSentPrivately, settings, customize, shortenTarget } = store;
  const { url = '', isOther, userInfoRemoved } = target.value;
  const isSending = sendingId !== undefined || isSentPrivately.value;
  const isBlocked = !tab.private && chosen.value !== null && chosen.value.state.blocked !== null;
  const hint = tab.private ? t('privateListed') : settings.autoCopy && t('shortenHint');
  return (
    <Card
      store={store}
      isBusy={isSending}
      head={
        <>
          <Title target={target.value} />
          <Address url={url} />
        </>
      }
      note={
        <>
          {userInfoRemoved ? (
            <p class="is-warning">{t('userInfoRemoved')}</p>
          ) : isSending && !tab.private ? (
            <p class="after-seconds">{t('popupCanClose')}</p>
          ) : (
            hint && <p>{hint}</p>
          )}
          {!isSending && (
            <button type="button" class="button is-quiet" onClick={() => customize()}>
              {t('customize')}
              <Icon name="later" />
            </button>
          )}
        </>
      }
    >
      {isSending ? (
        <MainButton focusKey={sendingId ?? `ready ${url}`} name={t('sending')} look="is-sending" />
      ) : (
        <MainButton
          focusKey={`ready ${url}`}
          name={t(isBlocked ? 'saveForLater' : isOther ? 'shorten' : 'shortenPage')}
          press={() => shortenTarget()}
          isBusy={asking.value === url}
        />
      )}
    </Card>
  );
}

/** Shows the short URL, with buttons to copy it, open it and show its QR code. */
function ResultCard({ link, store }: { link: Link; store: PopupStore }) {
  const { tab, target, connections, copied, qr, open } = store;
  const { shortUrl } = link;
  const connection = connections.value.find(({ id }) => id === link.connectionId);
  const isOtherHost = otherHost(link, connection) !== null;
  const warning = isOtherHost ? t('onOtherHost') : target.value.userInfoRemoved ? t('userInfoRemoved') : null;
  const done = copied.value === shortUrl ? { text: t('copied'), tone: 'is-good', icon: 'check' as const } : null;
  const showQr = () => {
    qr.value = shortUrl;
  };
  return (
    <Card
      store={store}
      head={
        <ShortUrlHead
          target={target.value}
          note={warning === null ? done : { text: warning, tone: 'is-warning' }}
          {...{ shortUrl, isOtherHost }}
          // In a private window, the short URL is plain text, because the browser's context menu would open it in an
          // ordinary window.
          open={tab.private ? undefined : () => open(shortUrl)}
        />
      }
      note={
        <>
          <button type="button" class="button is-wide" onClick={showQr}>
            <Icon name="qr" />
            {t('qrTitle')}
          </button>
          <button type="button" class="button is-wide" onClick={() => open(shortUrl)}>
            <Icon name="open" />
            {t('open')}
          </button>
        </>
      }
    >
      <CopyButton focusKey={link.id} shortUrl={shortUrl} store={store} />
    </Card>
  );
}

function ConnectCard({ store }: { store: PopupStore }) {
  return (
    <Card
      store={store}
      tile={{ icon: 'server', tone: 'is-good' }}
      head={
        <>
          <h2 class="stage-title">{t('connectOnce')}</h2>
          <p>{t('connectFirst')}</p>
        </>
      }
    >
      <MainButton focusKey="connect" name={t('connectService')} press={store.openWelcome} />
    </Card>
  );
}

interface FailureCardProps {
  state: PopupState & { kind: 'refused' | 'failed' | 'lost' };
  store: PopupStore;
}

/** A command that led to no link and no request. The button tries it again, or leads to what must change first. */
function FailureCard({ state, store }: FailureCardProps) {
  const { target, asking, isSentPrivately, chosen, editUrl, openWelcome, askAgain, leave } = store;
  const isUncertain = state.kind === 'failed' && state.isUncertain;
  const code = state.kind === 'refused' ? state.code : state.kind === 'failed' ? state.problem.code : '';
  const againName = isSentPrivately.value ? 'sending' : isUncertain ? 'sendAgain' : 'tryAgain';
  const again = { icon: 'retry', name: t(againName), press: askAgain } as const;
  const connect = { icon: 'server', name: t('connectService'), press: openWelcome } as const;
  const edit = { icon: 'edit', name: t('editUrl'), press: () => editUrl(target.value.original) } as const;
  const close = { icon: 'close', name: t('close'), press: leave } as const;
  const main = needsOtherUrl(code) && chosen.value ? edit : code === 'no_connection' ? connect : again;
  return (
    <ProblemCard
      store={store}
      focusKey={isUncertain ? null : `${state.kind} ${target.value.url}`}
      tile={{ icon: 'warning', tone: 'is-danger' }}
      message={failureMessage(state)}
      serverMessage={state.kind === 'failed' ? state.problem.message : ''}
      actions={state.kind === 'lost' ? [main] : [main, close]}
      look={isSentPrivately.value ? 'is-sending' : 'is-primary'}
      isBusy={asking.value !== null}
    />
  );
}
