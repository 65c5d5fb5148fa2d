import type { FormTarget } from '../link-form/form-target.ts';
import { ownShortUrls } from '../target/target.ts';
import { Announcer } from '../ui/announcer.tsx';
import { ConnectionState } from '../ui/connection-state.tsx';
import { connectionNames } from '../ui/connections.ts';
import { FlashToast } from '../ui/flash-toast.tsx';
import { HaltNotice } from '../ui/halt-notice.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Mark } from '../ui/icons.tsx';
import { Meter } from '../ui/meter.tsx';
import { PrivateChip } from '../ui/private-chip.tsx';
import { t } from '../ui/strings.ts';
import { useKeepFocus } from '../ui/use-keep-focus.ts';
import { useQrDialog } from '../ui/use-qr-dialog.tsx';
import { announcement } from './announcement.ts';
import { ConnectionSwitch } from './connection-switch.tsx';
import { LatestLinks } from './latest-links.tsx';
import { OtherUrl } from './other-url.tsx';
import type { PopupHandlers, Shorten } from './popup-handlers.ts';
import { RequestList } from './request-list.tsx';
import { StateCard } from './state-card.tsx';
import { TargetCard } from './target-card.tsx';
import { useLinkForm } from './use-link-form.tsx';
import type { PopupModel } from './use-popup.ts';

export type PopupProps = Omit<PopupModel, 'commands' | 'order'> & { handlers: PopupHandlers };

/** Where a link can be asked for, or asked for anew. */
const FORM_STATES = ['ready', 'done', 'pending'];

/** Header and budget stay where they are; what lies between scrolls. */
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
  // What the middle shows is not listed again: so no list grows, and nothing moves, when a result arrives.
  const requests = props.requests.filter(({ request }) => state.kind !== 'pending' || request.id !== state.request.id);
  const links = props.links.filter(({ id }) => state.kind !== 'done' || id !== state.link.id);

  const isOwn = ownShortUrls(connections.map(({ service }) => service?.shortBaseUrl));
  const { LinkForm } = form;
  // A form that was refused stays open below the reason, so that the user does not have to fill it in again.
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
          {chosen && halt && <HaltNotice halt={halt} connection={chosen.connection} handlers={handlers} />}
          <section class="focus" aria-label={t('whatToShorten')}>
            <TargetCard target={target} leave={handlers.leaveOrder} />
            {(!isFormShown || isProblem) && (
              <StateCard
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
            {chosen && <OtherUrl isOnlyWay={state.kind === 'blocked'} {...{ isOwn, ...handlers }} />}
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
              <LatestLinks
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
        <div class="toasts">{flash && <FlashToast flash={flash} dismiss={handlers.dismissFlash} />}</div>
        {chosen && quota && (
          <footer class="foot">
            <Meter quota={quota} now={now} />
            <ConnectionState queue={chosen} now={now} />
          </footer>
        )}
      </div>
      <Announcer text={flash?.text ?? announcement(state, target, clipboard)} />
      {qrDialog}
    </main>
  );
}
