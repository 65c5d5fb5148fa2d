import { ErrorToast } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { useLinkForm, useQrDialog } from '../../components/lazy-dialog.tsx';
import type { FormTarget } from '../../components/link-form/link-form-values.ts';
import { Announcer } from '../../components/page-shell.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { ownShortUrls } from '../../urls/shortenable-url.ts';
import { BottomLine } from './bottom-line.tsx';
import { RequestList } from './cards/request-list.tsx';
import { ShortenCard } from './cards/shorten-card.tsx';
import { Header } from './header.tsx';
import { healthOf } from './popup-health.ts';
import { RecentLinks } from './recent-links.tsx';
import { screenReaderText } from './screen-reader-text.ts';
import { UrlStage, useUrlField } from './url-input.tsx';
import type { PopupModel } from './use-popup.ts';
import type { PopupActions, Shorten } from './use-popup-actions.ts';

export type PopupProps = Omit<PopupModel, 'commands' | 'order'> & { handlers: PopupActions };

/** States in which a new link can be requested. */
const FORM_STATES = ['ready', 'done', 'pending'];

/** The popup. The header, the main area and the bottom line stay in place, and the lists between them scroll. */
export function Popup(props: PopupProps) {
  const { tab, target, state, asking, queues, chosen, quota, now, autoCopy, formDefaults, flash, clipboard, handlers } =
    props;
  const { qrDialog, showQr } = useQrDialog();
  const here = { url: target.original ?? '', title: target.title, tabId: target.isOther ? undefined : tab.id };
  const form = useLinkForm();
  const below = useKeepFocus<HTMLDivElement>();
  const customize = (about: Partial<FormTarget> = {}) => form.open({ ...here, ...about });
  const connections = queues.map(({ connection }) => connection);
  const names = connectionNames(connections);
  // The request or link in the main area is not listed again, so that nothing moves when a result arrives.
  const requests = props.requests.filter(({ request }) => state.kind !== 'pending' || request.id !== state.request.id);
  const links = props.links.filter(({ id }) => state.kind !== 'done' || id !== state.link.id);

  const isOwn = ownShortUrls(connections.map(({ service }) => service?.shortBaseUrl));
  const field = useUrlField(isOwn, handlers.openList);
  const { LinkForm } = form;
  // After a refusal the form stays open, so that the user does not have to fill it in again.
  const problem =
    state.kind === 'refused' ? notShortenableMessage(state.code) : state.kind === 'lost' ? t('noReply') : null;
  const isAbout = form.target?.url === target.original && FORM_STATES.includes(state.kind);
  const isFormOpen = form.target !== null && (problem !== null || isAbout);
  const shorten = async (what: Shorten) => {
    const { insteadOf } = form.target ?? {};
    const ask = () => (state.kind === 'done' ? handlers.shortenAnew(what) : handlers.shorten({ ...what, insteadOf }));
    if (await ask()) form.close();
  };
  const isForm = isFormOpen && LinkForm !== null && chosen !== null && field.draft === null;
  const blocked = state.kind === 'blocked' ? state.reason : null;

  return (
    <main class="popup">
      <Header
        queues={queues}
        names={names}
        chosen={chosen}
        health={healthOf(queues, props.requests)}
        isPrivate={tab.private}
        handlers={handlers}
      />
      {isForm && form.target ? (
        <LinkForm
          target={form.target}
          connection={chosen.connection}
          settings={formDefaults}
          now={now}
          isOwn={isOwn}
          submitName={t(target.isOther ? 'shorten' : 'shortenPage')}
          problem={problem}
          shorten={shorten}
          close={form.close}
        />
      ) : (
        <>
          <section class={field.isOver ? 'is-drop-target' : ''} aria-label={t('whatToShorten')}>
            {state.kind === 'blocked' || (field.draft && chosen) ? (
              <UrlStage
                draft={field.draft}
                target={target}
                blocked={blocked}
                isOwn={isOwn}
                set={field.set}
                close={field.close}
                shorten={handlers.shorten}
              />
            ) : (
              <ShortenCard
                state={state}
                asking={asking}
                queues={queues}
                chosen={chosen}
                autoCopy={autoCopy}
                target={target}
                now={now}
                clipboard={clipboard}
                showQr={showQr}
                customize={customize}
                editUrl={chosen && field.open}
                handlers={handlers}
              />
            )}
          </section>
          <div class="lists" ref={below}>
            {requests.length > 0 && (
              <RequestList
                requests={requests}
                names={queues.length > 1 ? names : null}
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
        </>
      )}

      <div class="end">
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismissFlash} />}</div>
        {chosen && quota && (
          <BottomLine
            state={state}
            queue={chosen}
            quota={quota}
            isOffered={props.isOffered}
            isAsking={asking !== null}
            now={now}
            customize={() => customize()}
            handlers={handlers}
          />
        )}
      </div>
      <Announcer text={flash?.text ?? screenReaderText(state, target, clipboard)} />
      {qrDialog}
    </main>
  );
}
