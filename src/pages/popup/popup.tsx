import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorToast } from '../../components/error-toast.tsx';
import { useFocusWhenGone, useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { useLinkForm, useQrDialog } from '../../components/lazy-dialog.tsx';
import type { FormTarget } from '../../components/link-form/link-form-values.ts';
import { Announcer } from '../../components/page-shell.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { ownShortUrls } from '../../servers/own-short-urls.ts';
import { BottomLine } from './bottom-line.tsx';
import { ShortenCard } from './cards/shorten-card.tsx';
import { RequestList } from './cards/unfinished-request-list.tsx';
import { Header } from './header-with-server-menu.tsx';
import { healthOf } from './popup-health.ts';
import { failureMessage } from './popup-state.ts';
import { RecentLinks } from './recent-links.tsx';
import { screenReaderText } from './screen-reader-text.ts';
import { type UrlDraft, UrlStage, useUrlField } from './url-input.tsx';
import type { PopupModel } from './use-popup.ts';
import type { PopupActions, Shorten } from './use-popup-actions.ts';

export type PopupProps = Omit<PopupModel, 'commands'> & { handlers: PopupActions };

/**
 * States in which the form for customizing a link can be shown. After a refusal, the form stays open, so that the
 * user does not have to fill it in again.
 */
const FORM_STATES = ['ready', 'done', 'pending', 'refused', 'failed', 'lost'];

/** The popup. Its header, main area and footer stay in place, and only the lists scroll. */
export function Popup(props: PopupProps) {
  const { tab, target, state, asking, queues, chosen, quota, now, autoCopy, formDefaults, flash, clipboard, handlers } =
    props;
  const { qrDialog, showQr } = useQrDialog();
  const here = { url: target.original ?? '', title: target.title, tabId: target.isOther ? undefined : tab.id };
  const form = useLinkForm();
  const customize = (about: Partial<FormTarget> = {}) => form.open({ ...here, ...about });
  const connections = queues.map(({ connection }) => connection);
  const names = connectionNames(connections);
  // The request or link in the main area is left out of the lists, so that the lists do not move when a result
  // arrives.
  const requests = props.requests.filter(({ request }) => state.kind !== 'pending' || request.id !== state.request.id);
  const links = props.links.filter(({ id }) => state.kind !== 'done' || id !== state.link.id);

  const isOwn = ownShortUrls(connections);
  const field = useUrlField(isOwn, handlers.openList);
  const main = useRef<HTMLElement>(null);
  const focusPencil = () => main.current?.querySelector<HTMLElement>('.stage-end > :last-child')?.focus();
  useFocusWhenGone(field.draft !== null, focusPencil);
  // After a command from a menu, the popup shows the result in place of the URL field, unless the user has typed
  // something.
  const handedId = props.order?.handed ? props.order.id : null;
  useEffect(() => field.closeEmpty(), [handedId]);
  const { LinkForm, target: formTarget } = form;
  const problem = failureMessage(state);
  const isAboutForm = [formTarget?.url, formTarget?.sentUrl].includes(target.original);
  const isFormShown =
    formTarget !== null &&
    LinkForm !== null &&
    chosen !== null &&
    isAboutForm &&
    FORM_STATES.includes(state.kind) &&
    field.draft === null;
  const shortenForm = async (from: FormTarget, what: Shorten) => {
    form.open({ ...from, sentUrl: what.url });
    const { anew, insteadOf } = from;
    if (await (anew ? handlers.shortenAnew(what) : handlers.shorten({ ...what, insteadOf }))) form.close();
  };
  const finishDraft = (sent: UrlDraft | null, isAccepted: boolean) => {
    field.closeSent(sent);
    if (isAccepted) form.close();
  };
  const blocked = state.kind === 'blocked' ? state.reason : null;

  return (
    <main class="popup" ref={main}>
      <Header
        queues={queues}
        names={names}
        chosen={chosen}
        health={healthOf(queues, props.requests, state.kind === 'pending' ? state.request.id : null)}
        isPrivate={tab.private}
        handlers={handlers}
      />
      {LinkForm && formTarget && chosen && (
        <LinkForm
          key={`${formTarget.url} ${formTarget.insteadOf}`}
          target={formTarget}
          connection={chosen.connection}
          settings={formDefaults}
          now={now}
          isOwn={isOwn}
          isHidden={!isFormShown}
          submitName={t(target.isOther ? 'shorten' : 'shortenPage')}
          problem={problem}
          shorten={(what) => shortenForm(formTarget, what)}
          close={form.close}
        />
      )}
      {!isFormShown && (
        <>
          <section class={field.isOver ? 'is-drop-target' : ''} aria-label={t('whatToShorten')}>
            {state.kind === 'blocked' || field.draft ? (
              <UrlStage
                draft={field.draft}
                target={target}
                blocked={blocked}
                isOwn={isOwn}
                isPrivate={tab.private}
                set={field.set}
                close={field.close}
                shorten={handlers.shorten}
                finish={finishDraft}
              />
            ) : (
              <ShortenCard
                state={state}
                asking={asking}
                queues={queues}
                chosen={chosen}
                autoCopy={autoCopy}
                target={target}
                isPrivate={tab.private}
                now={now}
                clipboard={clipboard}
                showQr={showQr}
                customize={customize}
                editUrl={chosen && field.open}
                handlers={handlers}
              />
            )}
          </section>
          <Lists>
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
          </Lists>
        </>
      )}

      <div class="end">
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismissFlash} />}</div>
        {chosen && quota && (
          <BottomLine
            state={state}
            queue={chosen}
            quota={quota}
            isAsking={asking !== null}
            now={now}
            customize={() => customize({ anew: true })}
            handlers={handlers}
          />
        )}
      </div>
      <Announcer text={flash?.text ?? screenReaderText(state, target, clipboard)} />
      {qrDialog}
    </main>
  );
}

/**
 * Container for the lists between the main area and the footer. If the focused row disappears, the focus moves to the
 * next row.
 */
function Lists({ children }: { children: ComponentChildren }) {
  const root = useKeepFocus<HTMLDivElement>();
  return (
    <div class="lists" ref={root}>
      {children}
    </div>
  );
}
