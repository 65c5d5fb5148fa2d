import { busyButtonProps } from '../../../components/busy-button.ts';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { Icon, IconButton } from '../../../components/icons.tsx';
import { ServerMessage } from '../../../components/url-and-title.tsx';
import { t } from '../../../format/i18n.ts';
import { needsOtherUrl } from '../../../format/status-text.ts';
import type { Queue } from '../../../queue/types.ts';
import { failureMessage, type PopupState } from '../popup-state.ts';
import { BlockedQueueCard } from './blocked-queue-card.tsx';
import { type CardProps, EndButtons, SiteTile, Stage, StageMessage, TitleAndAddress } from './card-layout.tsx';
import { ResultCard } from './result-card.tsx';
import { PendingCard } from './waiting-card.tsx';

interface ShortenCardProps extends CardProps {
  state: Exclude<PopupState, { kind: 'blocked' }>;
  /**
   * URL that is being submitted to the background worker, or null. While the popup shows this URL, the popup's main
   * button shows progress.
   */
  asking: string | null;
  queues: Queue[];
  /** Queue of the connection that the popup uses. */
  chosen: Queue | null;
  autoCopy: boolean;
}

/** Main area of the popup. */
export function ShortenCard({ state, asking, queues, chosen, autoCopy, ...card }: ShortenCardProps) {
  const { target, editUrl, handlers } = card;
  const end = <EndButtons target={target} editUrl={editUrl && (() => editUrl())} leave={handlers.leaveOrder} />;
  // The main button receives focus, so that the user only needs to press Enter.
  const focus = useAutofocus<HTMLButtonElement>(`${state.kind} ${target.url}`);
  switch (state.kind) {
    case 'ready': {
      const isAsking = asking === state.url;
      const shorten = () => !isAsking && void handlers.shorten({ ...target, url: state.url });
      if (chosen?.state.blocked) {
        return <BlockedQueueCard {...card} queue={chosen} blocked={chosen.state.blocked} end={end} shorten={shorten} />;
      }
      return (
        <Stage
          tile={<SiteTile target={target} />}
          head={<TitleAndAddress target={target} />}
          end={end}
          actions={
            <button
              type="button"
              class="button is-primary is-large"
              ref={focus}
              {...busyButtonProps(isAsking)}
              onClick={shorten}
            >
              {t(target.isOther ? 'shorten' : 'shortenPage')}
            </button>
          }
          note={
            <>
              {target.userInfoRemoved ? (
                <p class="is-warning">{t('userInfoRemoved')}</p>
              ) : (
                autoCopy && <p>{t('shortenHint')}</p>
              )}
              {card.isPrivate && <p>{t('privateListed')}</p>}
              <button type="button" class="button is-quiet customize" onClick={() => card.customize()}>
                {t('customize')}
                <Icon name="later" />
              </button>
            </>
          }
        />
      );
    }
    case 'pending': {
      const queue = queueOf(queues, state.connection.id);
      return queue && <PendingCard {...card} {...state} queue={queue} end={end} />;
    }
    case 'done': {
      const { link } = state;
      const connection = queueOf(queues, link.connectionId)?.connection;
      return <ResultCard {...card} link={link} connection={connection} end={end} />;
    }
    case 'connect':
      return (
        <Stage
          tile={
            <span class="tile is-good" aria-hidden="true">
              <Icon name="server" />
            </span>
          }
          head={
            <>
              <h2 class="stage-title">{t('connectOnce')}</h2>
              <p class="stage-message">{t('connectFirst')}</p>
            </>
          }
          actions={
            <button type="button" class="button is-primary is-large" ref={focus} onClick={handlers.openWelcome}>
              {t('connectService')}
            </button>
          }
          note={null}
        />
      );
    case 'lost':
    case 'failed':
    case 'refused': {
      const code = state.kind === 'refused' ? state.code : state.kind === 'failed' ? state.problem.code : '';
      const isWrong = needsOtherUrl(code) && editUrl !== null;
      const isUncertain = state.kind === 'failed' && state.isUncertain;
      const detail = state.kind === 'failed' ? state.problem.message : '';
      const needsServer = state.kind === 'refused' && state.code === 'no_connection';
      const edit = () => editUrl?.(target.original ?? '');
      return (
        <StageMessage
          target={target}
          icon="warning"
          tone="is-danger"
          end={end}
          actions={
            <>
              <button
                type="button"
                class="button is-primary is-large"
                ref={focus}
                {...busyButtonProps(asking !== null)}
                onClick={
                  isWrong ? edit : needsServer ? handlers.openWelcome : () => asking === null && handlers.askAgain()
                }
              >
                {t(isWrong ? 'editUrl' : needsServer ? 'connectService' : isUncertain ? 'sendAgain' : 'tryAgain')}
              </button>
              {state.kind !== 'lost' && <IconButton icon="close" name={t('close')} press={handlers.leaveOrder} />}
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
  }
}

function queueOf(queues: Queue[], connectionId: string | null | undefined): Queue | undefined {
  return queues.find(({ connection }) => connection.id === connectionId);
}
