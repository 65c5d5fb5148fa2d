import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton } from '../../components/icons.tsx';
import { ServerMessage } from '../../components/url-and-title.tsx';
import { t } from '../../format/i18n.ts';
import { needsOtherUrl, notShortenableMessage } from '../../format/status-text.ts';
import { EndButtons, SiteTile, Stage, StageMessage, StatusTile, Title, TitleAndAddress } from './card-layout.tsx';
import { failureMessage, type PopupState } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';
import { ResultCard } from './result-card.tsx';
import { PendingCard } from './waiting-card.tsx';

/** Main area of the popup. */
export function PageCard({ store }: { store: PopupStore }) {
  const state = store.state.value;
  if (state.kind === 'blocked' || store.draft.value) return <UrlField store={store} />;
  switch (state.kind) {
    case 'ready':
      return <ReadyCard store={store} />;
    case 'pending':
      return <PendingCard listed={state} store={store} />;
    case 'done':
      return <ResultCard link={state.link} store={store} />;
    case 'connect':
      return <ConnectCard store={store} />;
    default:
      return <FailureCard state={state} store={store} />;
  }
}

/** The page's title and the button that shortens the page. */
function ReadyCard({ store }: { store: PopupStore }) {
  const { tab, target, chosen, asking, settings, customize, shortenTarget } = store;
  const { url, isOther, userInfoRemoved } = target.value;
  const isAsking = asking.value !== null && asking.value === url;
  const isBlocked = !tab.private && chosen.value !== null && chosen.value.state.blocked !== null;
  // The main button receives focus, so that the user only needs to press Enter.
  const focus = useAutofocus<HTMLButtonElement>(`ready ${url}`);
  return (
    <Stage
      tile={<SiteTile target={target.value} />}
      head={<TitleAndAddress target={target.value} />}
      end={<EndButtons store={store} />}
      actions={
        <button
          type="button"
          class="button is-primary is-large"
          ref={focus}
          aria-busy={isAsking}
          aria-disabled={isAsking}
          onClick={() => shortenTarget()}
        >
          {t(isBlocked ? 'saveForLater' : isOther ? 'shorten' : 'shortenPage')}
        </button>
      }
      note={
        <>
          {userInfoRemoved ? (
            <p class="is-warning">{t('userInfoRemoved')}</p>
          ) : (
            (tab.private || settings.value.autoCopy) && <p>{t(tab.private ? 'privateListed' : 'shortenHint')}</p>
          )}
          <button type="button" class="button is-quiet" onClick={() => customize()}>
            {t('customize')}
            <Icon name="later" />
          </button>
        </>
      }
    />
  );
}

function ConnectCard({ store }: { store: PopupStore }) {
  const focus = useAutofocus<HTMLButtonElement>('connect');
  return (
    <Stage
      tile={<StatusTile icon="server" tone="is-good" />}
      head={
        <>
          <h2 class="stage-title">{t('connectOnce')}</h2>
          <p>{t('connectFirst')}</p>
        </>
      }
      actions={
        <button type="button" class="button is-primary is-large" ref={focus} onClick={store.openWelcome}>
          {t('connectService')}
        </button>
      }
      note={null}
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
  // If the result is uncertain, no button gets the focus, because Enter could create a second link by accident.
  const focus = useAutofocus<HTMLButtonElement>(`${state.kind} ${target.value.url}`, !isUncertain);
  const code = state.kind === 'refused' ? state.code : state.kind === 'failed' ? state.problem.code : '';
  const detail = state.kind === 'failed' ? state.problem.message : '';
  const againName = t(isUncertain ? 'sendAgain' : 'tryAgain');
  const [name, press] =
    needsOtherUrl(code) && chosen.value
      ? [t('editUrl'), () => editUrl(target.value.original)]
      : code === 'no_connection'
        ? [t('connectService'), openWelcome]
        : [againName, askAgain];
  return (
    <StageMessage
      store={store}
      icon="warning"
      tone="is-danger"
      actions={
        <>
          <button
            type="button"
            class="button is-primary is-large"
            ref={focus}
            aria-busy={asking.value !== null}
            aria-disabled={asking.value !== null}
            onClick={press}
          >
            {name}
          </button>
          {state.kind !== 'lost' && <IconButton icon="close" name={t('close')} press={leave} />}
        </>
      }
    >
      <p>{failureMessage(state)}</p>
      {detail && (
        <p class="service-words">
          <ServerMessage text={detail} />
        </p>
      )}
    </StageMessage>
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
      tile={<StatusTile icon="globe" />}
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
