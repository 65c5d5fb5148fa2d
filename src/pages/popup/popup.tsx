import { useEffect, useRef } from 'preact/hooks';
import { useDrop } from '../../components/drop-and-paste.ts';
import { Toasts } from '../../components/error-toast.tsx';
import { useFocusWhenGone } from '../../components/focus.ts';
import { LazyQrDialog, useLazy } from '../../components/lazy-dialog.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { t } from '../../format/i18n.ts';
import { BottomLine } from './bottom-line.tsx';
import { Header } from './header.tsx';
import { Lists } from './lists.tsx';
import { PageCard } from './page-card.tsx';
import { failureMessage, screenReaderText } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';
import { UrlField } from './url-field.tsx';

/**
 * States in which the form for customizing a link can be shown. After a refusal, the form stays open, so that the
 * user does not have to fill it in again.
 */
const FORM_STATES = ['ready', 'done', 'pending', 'refused', 'failed', 'lost'];

/** The popup. Its header, main area and footer stay in place, and only the lists scroll. */
export function Popup({ store }: { store: PopupStore }) {
  const { state, target, draft, form, flash, copied } = store;
  const main = useRef<HTMLElement>(null);
  const isOver = useDrop(store.takeTransfer);
  useLastHeight(main);
  const focusPencil = () => main.current?.querySelector<HTMLElement>('.stage-end > :last-child')?.focus();
  useFocusWhenGone(draft.value !== null, focusPencil);
  const about = form.value;
  const isAboutTarget = [about?.url, about?.sentUrl].includes(target.value.original);
  const LinkForm = useLazy(
    about !== null,
    async () => (await import('../../components/link-form/link-form.tsx')).LinkForm,
  );
  const connection = store.chosen.value?.connection;
  const isFormWanted = isAboutTarget && FORM_STATES.includes(state.value.kind) && draft.value === null;
  const hasForm = LinkForm !== null && about !== null && connection !== undefined;
  return (
    <main class="popup" ref={main}>
      <Header store={store} />
      {hasForm && (
        <LinkForm
          key={`${about.url} ${about.insteadOf}`}
          target={about}
          connection={connection}
          settings={store.settings.value}
          now={store.now.value}
          isOwn={store.isOwn.value}
          isHidden={!isFormWanted}
          submitName={t(target.value.isOther ? 'shorten' : 'shortenPage')}
          problem={failureMessage(state.value)}
          shorten={(what) => store.shortenForm(about, what)}
          close={() => {
            form.value = null;
          }}
        />
      )}
      {!(hasForm && isFormWanted) && (
        <>
          <section class={isOver ? 'is-drop-target' : ''} aria-label={t('whatToShorten')}>
            {state.value.kind === 'blocked' || draft.value ? <UrlField store={store} /> : <PageCard store={store} />}
          </section>
          <Lists store={store} />
        </>
      )}
      <div class="end">
        <Toasts flash={flash} />
        <BottomLine store={store} />
      </div>
      <Announcer text={flash.value?.text ?? screenReaderText(state.value, target.value, copied.value)} />
      <LazyQrDialog shown={store.qr} />
    </main>
  );
}

/**
 * Stores the height of the popup. The next time the popup opens, `public/first-paint.js` sets this height, so that
 * the popup does not grow.
 */
function useLastHeight(main: { current: HTMLElement | null }): void {
  useEffect(() => {
    const popup = main.current;
    document.documentElement.style.removeProperty('--last-height');
    if (!popup) return;
    const observer = new ResizeObserver(() => {
      // The height is not stored while an open dialog or form makes the popup taller.
      if (!popup.querySelector('dialog[open], .link-form:not([hidden])'))
        localStorage.setItem('popupHeight', String(popup.offsetHeight));
    });
    observer.observe(popup);
    return () => observer.disconnect();
  }, []);
}
