import { useEffect, useRef } from 'preact/hooks';
import { ConnectionSelect } from '../../components/connection-select.tsx';
import { useDrop } from '../../components/drop-and-paste.ts';
import { Toasts } from '../../components/error-toast.tsx';
import { useFocusWhenGone } from '../../components/focus.ts';
import { IconButton, Mark } from '../../components/icons.tsx';
import { LazyQrDialog, useLazy } from '../../components/lazy-dialog.tsx';
import { Menu } from '../../components/menu.tsx';
import { Announcer, PrivateChip } from '../../components/page-shell.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { countRequests } from '../../queue/status.ts';
import { BottomLine } from './bottom-line.tsx';
import { Lists } from './lists.tsx';
import { PageCard } from './page-card.tsx';
import { failureMessage, screenReaderText } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';

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
  // After a refusal, the form stays open, so that the user does not have to fill it in again.
  const isFormWanted = isAboutTarget && state.value.kind !== 'blocked' && draft.value === null;
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
            <PageCard store={store} />
          </section>
          <Lists store={store} />
        </>
      )}
      <Toasts flash={flash} />
      <BottomLine store={store} />
      <Announcer text={flash.value?.text ?? screenReaderText(state.value, target.value, copied.value)} />
      <LazyQrDialog shown={store.qr} />
    </main>
  );
}

/** The logo and links to other pages. If there are several connections, the user can also switch between them. */
function Header({ store }: { store: PopupStore }) {
  const { tab, connections, openLinks, openMany, openOptions } = store;
  return (
    <header class="bar">
      <Mark />
      <h1 class="visually-hidden">{t('extensionName')}</h1>
      <ConnectionSelect look="button" store={store} choose={store.choose} />
      {tab.private && <PrivateChip isSmall={connections.value.length > 1} />}
      <nav class="bar-end">
        <IconButton icon="links" name={t('linksTitle')} press={openLinks} />
        <QueueButton store={store} />
        <Menu
          name={t('more')}
          items={[
            { icon: 'bulk', label: t('manyTitle'), press: openMany },
            { icon: 'options', label: t('options'), press: openOptions },
          ]}
        />
      </nav>
    </header>
  );
}

/**
 * Button that opens the queue. Its red badge shows the number of requests that need the user's action. If there are
 * no such requests, the badge is not red and shows the number of waiting requests. The request that the popup already
 * shows is not counted, so that the number does not change whenever the user shortens a page.
 */
function QueueButton({ store: { queues, state, openQueue } }: { store: PopupStore }) {
  const shownId = state.value.kind === 'pending' ? state.value.request.id : null;
  const others = queues.value.map((queue) => ({
    ...queue,
    requests: queue.requests.filter(({ id }) => id !== shownId),
  }));
  const { all, needUser } = countRequests({ queues: others });
  const count = needUser || all;
  const counted = plural(needUser > 0 ? 'needYouCount' : 'waitingCount', count);
  return (
    <span class="queue-button">
      <IconButton icon="queue" name={count === 0 ? t('queue') : t('queueWithCount', counted)} press={openQueue} />
      {count > 0 && (
        <span class={`count ${needUser > 0 ? 'is-danger' : ''}`} aria-hidden="true">
          {count > 99 ? '99+' : formatNumber(count)}
        </span>
      )}
    </span>
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
