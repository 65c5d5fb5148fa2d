import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton } from '../../components/icons.tsx';
import { remedyLabel } from '../../components/unfinished-requests.tsx';
import { ServerMessage } from '../../components/url-and-title.tsx';
import { t } from '../../format/i18n.ts';
import { needsOtherUrl } from '../../format/status-text.ts';
import { blockRemedies } from '../../queue/status/remedies.ts';
import type { Queue } from '../../queue/types.ts';
import {
  blockMessage,
  EndButtons,
  SiteTile,
  Stage,
  StageMessage,
  StatusTile,
  TitleAndAddress,
} from './card-layout.tsx';
import { failureMessage, type PopupState } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';
import { ResultCard } from './result-card.tsx';
import { PendingCard } from './waiting-card.tsx';

/** Main area of the popup. */
export function PageCard({ store }: { store: PopupStore }) {
  const state = store.state.value;
  const { chosen, queues } = store;
  switch (state.kind) {
    case 'ready':
      return chosen.value?.state.blocked ? (
        <BlockedCard queue={chosen.value} store={store} />
      ) : (
        <ReadyCard store={store} />
      );
    case 'pending': {
      const queue = queues.value.find(({ connection }) => connection.id === state.connection.id);
      return queue ? <PendingCard listed={state} queue={queue} store={store} /> : null;
    }
    case 'done':
      return <ResultCard link={state.link} store={store} />;
    case 'connect':
      return <ConnectCard store={store} />;
    case 'blocked':
      return null;
    default:
      return <FailureCard state={state} store={store} />;
  }
}

/** The page's title and the button that shortens the page. */
function ReadyCard({ store }: { store: PopupStore }) {
  const { tab, target, asking, settings, customize, shortenTarget } = store;
  const { url, isOther, userInfoRemoved } = target.value;
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
          aria-busy={asking.value !== null && asking.value === url}
          aria-disabled={asking.value !== null && asking.value === url}
          onClick={() => shortenTarget()}
        >
          {t(isOther ? 'shorten' : 'shortenPage')}
        </button>
      }
      note={
        <>
          {userInfoRemoved ? (
            <p class="is-warning">{t('userInfoRemoved')}</p>
          ) : (
            settings.value.autoCopy && <p>{t('shortenHint')}</p>
          )}
          {tab.private && <p>{t('privateListed')}</p>}
          <button type="button" class="button is-quiet customize" onClick={() => customize()}>
            {t('customize')}
            <Icon name="later" />
          </button>
        </>
      }
    />
  );
}

/** Explains why the server cannot be used. The buttons let the user solve the problem or save the page for later. */
function BlockedCard({ queue, store }: { queue: Queue; store: PopupStore }) {
  const { blocked } = queue.state;
  const focus = useAutofocus<HTMLButtonElement>(blocked ?? '');
  const [best, other] = blocked ? blockRemedies(blocked) : [];
  return (
    <StageMessage
      store={store}
      icon="key"
      tone="is-danger"
      label={t('actionNeeded')}
      actions={
        <>
          {best && (
            <button
              type="button"
              class="button is-primary is-large"
              ref={focus}
              onClick={() => store.apply(best, queue.connection)}
            >
              {remedyLabel(best)}
            </button>
          )}
          {!store.tab.private && (
            <button type="button" class="button is-large is-beside" onClick={() => store.shortenTarget()}>
              {t('saveForLater')}
            </button>
          )}
          {other && <IconButton icon="retry" name={t('tryAgain')} press={() => store.apply(other, queue.connection)} />}
        </>
      }
    >
      <p>{blocked && blockMessage(queue, blocked)}</p>
    </StageMessage>
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
          <p class="stage-message">{t('connectFirst')}</p>
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
