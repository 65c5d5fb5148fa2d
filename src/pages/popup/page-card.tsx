import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton } from '../../components/icons.tsx';
import { t } from '../../format/i18n.ts';
import { needsOtherUrl, notShortenableMessage } from '../../format/status-text.ts';
import { Card, type MainAction, Stage, Title, TitleAndAddress, TitleAndMessage } from './card.tsx';
import { failureMessage, type PopupState } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';
import { isSentSoon, RequestCard } from './request-card.tsx';
import { ResultCard } from './result-card.tsx';

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
  const { tab, target, chosen, asking, settings, customize, shortenTarget } = store;
  const { url, isOther, userInfoRemoved } = target.value;
  const isSending = sendingId !== undefined;
  const isBlocked = !tab.private && chosen.value !== null && chosen.value.state.blocked !== null;
  const shorten: MainAction = {
    name: t(isBlocked ? 'saveForLater' : isOther ? 'shorten' : 'shortenPage'),
    press: () => shortenTarget(),
    isBusy: asking.value !== null && asking.value === url,
  };
  const hint = tab.private ? t('privateListed') : settings.value.autoCopy && t('shortenHint');
  return (
    <Card
      store={store}
      focusKey={sendingId ?? `ready ${url}`}
      head={<TitleAndAddress target={target.value} />}
      main={isSending ? { name: t('sending'), look: 'is-sending' } : shorten}
      note={
        <>
          {userInfoRemoved ? (
            <p class="is-warning">{t('userInfoRemoved')}</p>
          ) : isSending ? (
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
    />
  );
}

function ConnectCard({ store }: { store: PopupStore }) {
  return (
    <Card
      store={store}
      focusKey="connect"
      tile={{ icon: 'server', tone: 'is-good' }}
      head={
        <>
          <h2 class="stage-title">{t('connectOnce')}</h2>
          <p>{t('connectFirst')}</p>
        </>
      }
      main={{ name: t('connectService'), press: store.openWelcome }}
    />
  );
}

interface FailureCardProps {
  state: PopupState & { kind: 'refused' | 'failed' | 'lost' };
  store: PopupStore;
}

/** A command that led to no link and no request. The button tries it again, or leads to what must change first. */
function FailureCard({ state, store }: FailureCardProps) {
  const { target, asking, chosen, editUrl, openWelcome, askAgain, leave } = store;
  const isUncertain = state.kind === 'failed' && state.isUncertain;
  const code = state.kind === 'refused' ? state.code : state.kind === 'failed' ? state.problem.code : '';
  const again = { name: t(isUncertain ? 'sendAgain' : 'tryAgain'), press: askAgain };
  const connect = { name: t('connectService'), press: openWelcome };
  const edit = { name: t('editUrl'), press: () => editUrl(target.value.original) };
  const main = needsOtherUrl(code) && chosen.value ? edit : code === 'no_connection' ? connect : again;
  return (
    <Card
      store={store}
      focusKey={isUncertain ? null : `${state.kind} ${target.value.url}`}
      tile={{ icon: 'warning', tone: 'is-danger' }}
      head={
        <TitleAndMessage
          target={target.value}
          message={failureMessage(state)}
          serverMessage={state.kind === 'failed' ? state.problem.message : ''}
        />
      }
      main={{ ...main, isBusy: asking.value !== null }}
      others={state.kind === 'lost' ? [] : [{ icon: 'close', name: t('close'), press: leave }]}
    />
  );
}

/**
 * True if the device probably has a physical keyboard. On other devices, focusing the field would open an on-screen
 * keyboard, which would cover the message about why the page cannot be shortened.
 */
const hasKeyboard = () => matchMedia('(hover: hover)').matches;

/**
 * The field for entering another URL, in place of the page's title and button. If the page cannot be shortened, the
 * field also shows the reason.
 */
function UrlField({ store }: { store: PopupStore }) {
  const { tab, draft, isDraftAsking, target, state, type, closeDraft, sendDraft } = store;
  const { text = '', problem = null, pastes = 0 } = draft.value ?? {};
  const blocked = state.value.kind === 'blocked' ? state.value.reason : null;
  const input = useAutofocus<HTMLInputElement>('', blocked !== null && hasKeyboard());
  const button = useRef<HTMLButtonElement>(null);
  const isOpened = draft.value !== null;
  // After a paste, the button gets the focus, so that Enter submits the URL. Otherwise, the field gets the focus.
  useLayoutEffect(() => {
    if (pastes > 0) button.current?.focus();
    else if (isOpened) input.current?.focus();
  }, [pastes, isOpened]);
  const submit = (event: Event) => {
    event.preventDefault();
    void sendDraft();
  };
  return (
    <Stage
      store={store}
      tile={{ icon: 'globe' }}
      head={
        blocked === null ? (
          <h2 class="stage-title">{t('otherUrl')}</h2>
        ) : (
          <>
            <Title target={target.value} />
            <p id="blocked">{notShortenableMessage(blocked)}</p>
          </>
        )
      }
      end={blocked === null && <IconButton icon="close" name={t('close')} press={closeDraft} />}
      actions={
        <form class="url-field" noValidate onSubmit={submit}>
          <input
            ref={input}
            class="input"
            type="url"
            dir="ltr"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            aria-label={t('longUrl')}
            placeholder={t('otherUrlPlaceholder')}
            value={text}
            aria-invalid={problem !== null}
            aria-describedby={blocked !== null && problem === null ? 'blocked' : 'url-problem'}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <button
            ref={button}
            type="submit"
            class="button"
            disabled={text.trim() === ''}
            aria-busy={isDraftAsking.value}
            aria-disabled={isDraftAsking.value}
          >
            {t('shorten')}
          </button>
        </form>
      }
      note={
        <>
          <p id="url-problem" class="problem" role="alert">
            {problem && notShortenableMessage(problem)}
          </p>
          {tab.private && problem === null && <p>{t('privateListed')}</p>}
        </>
      }
    />
  );
}
