import { BlockNotice, ConnectionState } from '../../components/connection-notice.tsx';
import { ErrorToast } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { IconButton, Mark } from '../../components/icons.tsx';
import { useLinkForm, useQrDialog } from '../../components/lazy-dialog.tsx';
import type { FormTarget } from '../../components/link-form/link-form-values.ts';
import { Announcer, PrivateChip } from '../../components/page-shell.tsx';
import { QuotaMeter } from '../../components/quota-meter.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import type { Queue } from '../../queue/types.ts';
import { ownShortUrls } from '../../urls/shortenable-url.ts';
import { RequestList } from './cards/request-list.tsx';
import { ShortenCard, TargetCard } from './cards/shorten-card.tsx';
import { RecentLinks } from './recent-links.tsx';
import { screenReaderText } from './screen-reader-text.ts';
import { UrlInput } from './url-input.tsx';
import type { PopupModel } from './use-popup.ts';
import type { PopupActions, Shorten } from './use-popup-actions.ts';

interface ConnectionSwitchProps {
  queues: Queue[];
  names: Map<string, string>;
  chosen: Queue;
  choose: (connectionId: string) => void;
}

/** Switch for the connection that the popup uses. It warns about connections that cannot send. */
export function ConnectionSwitch({ queues, names, chosen, choose }: ConnectionSwitchProps) {
  return (
    <select
      class="connection-switch"
      aria-label={t('connectionSwitch')}
      value={chosen.connection.id}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {queues.map((queue) => {
        const { id } = queue.connection;
        const status = connectionStatus(queue);
        const isFine = status === 'connected' || status === 'saved';
        return (
          <option key={id} value={id}>
            {isFine ? names.get(id) : t('connectionWithStatus', names.get(id) ?? '', t(`connection_${status}`))}
          </option>
        );
      })}
    </select>
  );
}

export type PopupProps = Omit<PopupModel, 'commands' | 'order'> & { handlers: PopupActions };

/** States in which a new link can be requested. */
const FORM_STATES = ['ready', 'done', 'pending'];

/** The popup. The header and the quota stay in place, and the content between them scrolls. */
export function Popup(props: PopupProps) {
  const { tab, target, state, asking, queues, chosen, quota, now, autoCopy, formDefaults, flash, clipboard, handlers } =
    props;
  const { qrDialog, showQr } = useQrDialog();
  const here = { url: target.original ?? '', title: target.title, tabId: target.isOther ? undefined : tab.id };
  const form = useLinkForm();
  const below = useKeepFocus<HTMLDivElement>();
  const more = (about: Partial<FormTarget> = {}) => form.open({ ...here, ...about });
  const connections = queues.map(({ connection }) => connection);
  const names = connectionNames(connections);
  const hasChoice = queues.length > 1;
  const halt = chosen?.state.halt ?? null;
  // The request or link in the main area is not listed again, so that nothing moves when a result arrives.
  const requests = props.requests.filter(({ request }) => state.kind !== 'pending' || request.id !== state.request.id);
  const links = props.links.filter(({ id }) => state.kind !== 'done' || id !== state.link.id);

  const isOwn = ownShortUrls(connections.map(({ service }) => service?.shortBaseUrl));
  const { LinkForm } = form;
  // After a refusal the form stays open below the reason, so that the user does not have to fill it in again.
  const isProblem = state.kind === 'refused' || state.kind === 'lost';
  const isAbout = form.target?.url === target.original && FORM_STATES.includes(state.kind);
  const isFormOpen = form.target !== null && (isProblem || isAbout);
  const isFormShown = isFormOpen && LinkForm && chosen && quota;
  const shorten = async (what: Shorten) => {
    const { insteadOf } = form.target ?? {};
    const ask = () => (state.kind === 'done' ? handlers.shortenAnew(what) : handlers.shorten({ ...what, insteadOf }));
    if (await ask()) form.close();
  };

  return (
    <main class="popup">
      <header class="bar">
        <Mark />
        <h1 class={hasChoice ? 'visually-hidden' : 'bar-name'}>{t('extensionName')}</h1>
        {chosen && hasChoice && (
          <ConnectionSwitch queues={queues} names={names} chosen={chosen} choose={handlers.choose} />
        )}
        {tab.private && <PrivateChip isSmall={hasChoice} />}
        <IconButton icon="list" name={t('manyTitle')} class="bar-end" press={handlers.openMany} />
        <IconButton icon="settings" name={t('options')} press={handlers.openOptions} />
      </header>

      <div class="scroll">
        <div class="scroll-content">
          {chosen && halt && <BlockNotice halt={halt} connection={chosen.connection} handlers={handlers} />}
          <section class="focus" aria-label={t('whatToShorten')}>
            <TargetCard target={target} leave={handlers.leaveOrder} />
            {(!isFormShown || isProblem) && (
              <ShortenCard
                more={chosen ? more : null}
                state={state}
                asking={asking}
                target={target}
                connections={connections}
                now={now}
                hint={halt ? 'shortenHintHalted' : autoCopy ? 'shortenHint' : 'shortenHintNoCopy'}
                clipboard={clipboard}
                showQr={showQr}
                handlers={handlers}
              />
            )}
            {isFormShown && LinkForm && form.target && chosen && quota && (
              <LinkForm
                target={form.target}
                connection={chosen.connection}
                quota={quota}
                settings={formDefaults}
                now={now}
                isOwn={isOwn}
                shorten={shorten}
                close={form.close}
              />
            )}
          </section>
          <div ref={below}>
            {chosen && <UrlInput isOnlyWay={state.kind === 'blocked'} {...{ isOwn, ...handlers }} />}
            {requests.length > 0 && (
              <RequestList
                requests={requests}
                isPrivate={props.tab.private}
                names={hasChoice ? names : null}
                now={now}
                clipboard={clipboard}
                handlers={handlers}
              />
            )}
            {links.length > 0 && (
              <RecentLinks
                links={links}
                connections={connections}
                clipboard={clipboard}
                showAll={handlers.openLinks}
                open={handlers.open}
              />
            )}
          </div>
        </div>
      </div>

      <div class="end">
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismissFlash} />}</div>
        {chosen && quota && (
          <footer class="foot">
            <QuotaMeter quota={quota} now={now} />
            <ConnectionState queue={chosen} now={now} />
          </footer>
        )}
      </div>
      <Announcer text={flash?.text ?? screenReaderText(state, target, clipboard)} />
      {qrDialog}
    </main>
  );
}
