import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ConnectionSelect } from '../../components/connection-select.tsx';
import { Toasts } from '../../components/error-toast.tsx';
import { Icon, IconButton, Mark } from '../../components/icons.tsx';
import { LazyQrDialog, useLazy } from '../../components/lazy-dialog.tsx';
import type { FormTarget } from '../../components/link-form/link-form-values.ts';
import { Menu } from '../../components/menu.tsx';
import { PrivateChip } from '../../components/page-shell.tsx';
import { remedyLabel } from '../../components/unfinished-requests.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { formatDateTime, formatOnDay } from '../../format/relative-time.ts';
import { blockRemedies } from '../../queue/status.ts';
import type { BlockReason, Connection } from '../../queue/types.ts';
import { isListMissing } from '../../servers/capabilities.ts';
import { Lists } from './lists.tsx';
import { ReadyCard, ResultCard, UrlField } from './page-card.tsx';
import { isSentSoon, screenReaderText } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';
import { ProblemCard } from './problem-card.tsx';

/** The popup. Its header, main area and footer stay in place, and only the lists scroll. */
export function Popup({ store }: { store: PopupStore }) {
  const { state, target, draft, form, flash, copied, now, others, qr } = store;
  const main = useRef<HTMLElement>(null);
  useLastHeight(main);
  const isDrafting = draft.value !== null;
  useLayoutEffect(
    () => () => {
      // If the field for another URL has the focus when it closes, the button that opens it gets the focus.
      if (isDrafting && document.activeElement === document.body)
        main.current?.querySelector<HTMLElement>('.stage-end > :last-child')?.focus();
    },
    [isDrafting],
  );
  // The form announces its own messages. The state of an earlier request would contradict what the user enters.
  const stateText = form.value ? '' : screenReaderText(state.value, target.value, copied.value, now.value);
  const news = flash.value?.text ?? stateText;
  const page = (
    <>
      <section aria-label={t('whatToShorten')}>
        <PageCard store={store} />
      </section>
      {others.value.requests.length + others.value.links.length > 0 && <Lists store={store} />}
    </>
  );
  return (
    <main class="popup" ref={main}>
      <Header store={store} />
      {form.value ? <CustomizeForm store={store} about={form.value} before={page} /> : page}
      {flash.value && <Toasts flash={flash} />}
      <BottomLine store={store} />
      <p class="visually-hidden" role="status" aria-live="polite">
        {news}
      </p>
      {qr.value !== null && <LazyQrDialog shown={qr} />}
    </main>
  );
}

interface CustomizeFormProps {
  store: PopupStore;
  about: FormTarget;
  /** Shown until the form is loaded. */
  before: ComponentChild;
}

/** The form for a link with options. After a refusal, it stays open, so that the user does not have to fill it again. */
function CustomizeForm({ store, about, before }: CustomizeFormProps) {
  const { form, target, chosen, settings, now, isOwn, isSentPrivately, state } = store;
  const LinkForm = useLazy(true, async () => (await import('../../components/link-form/link-form.tsx')).LinkForm);
  const close = () => {
    form.value = null;
  };
  const connection = chosen.value?.connection;
  if (!LinkForm || !connection) return <>{before}</>;
  return (
    <LinkForm
      key={`${about.url} ${about.insteadOf}`}
      target={about}
      now={now.value}
      submitName={t(isSentPrivately.value ? 'sending' : target.value.isOther ? 'shorten' : 'shortenPage')}
      problem={state.value.kind === 'failed' ? state.value.message : null}
      shorten={(what) => store.shortenForm(about, what)}
      {...{ settings, isOwn, connection, close }}
    />
  );
}

/** The logo and links to other pages. If there are several connections, the user can also switch between them. */
function Header({ store }: { store: PopupStore }) {
  const { tab, hasChoice, openLinks, openQueue, openMany, openOptions, choose } = store;
  return (
    <header class="bar">
      <Mark />
      <h1 class="visually-hidden">{t('extensionName')}</h1>
      {hasChoice.value && <ConnectionSelect look="button" store={store} choose={choose} />}
      {tab.private && <PrivateChip isSmall={hasChoice.value} />}
      <nav class="bar-end">
        <IconButton icon="links" name={t('linksTitle')} press={openLinks} />
        <Menu
          name={t('more')}
          items={[
            { icon: 'queue', label: t('queue'), press: openQueue },
            { icon: 'bulk', label: t('manyTitle'), press: openMany },
            { icon: 'options', label: t('options'), press: openOptions },
          ]}
        />
      </nav>
    </header>
  );
}

/** The main area. */
function PageCard({ store }: { store: PopupStore }) {
  const state = store.state.value;
  if (state.kind === 'blocked' || store.draft.value) return <UrlField store={store} />;
  if (state.kind === 'ready') return <ReadyCard store={store} />;
  if (state.kind === 'done') return <ResultCard link={state.link} store={store} />;
  if (state.kind === 'pending' && isSentSoon(state.status, store.now.value)) {
    return <ReadyCard sendingId={state.request.id} store={store} />;
  }
  return <ProblemCard state={state} store={store} />;
}

/**
 * The line at the bottom of the popup. It shows only the most important message. Its height never decreases, so that
 * the popup does not move when a message disappears.
 */
function BottomLine({ store }: { store: PopupStore }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (root.current) root.current.style.minBlockSize = `${root.current.getBoundingClientRect().height}px`;
  });
  return (
    <div class="bottom" ref={root}>
      {lineOf(store)}
    </div>
  );
}

/** Returns the message at the bottom of the popup. Null if there is nothing to show. */
function lineOf(store: PopupStore): ComponentChild {
  const [queue, state, now] = [store.chosen.value, store.state.value, store.now.value];
  if (!queue) return null;
  const { blocked } = queue.state;
  // The main area already shows why its own request waits.
  const isSaid = state.kind === 'pending' && 'reason' in state.status && state.status.reason === blocked;
  if (blocked) return isSaid ? null : blockLine(blocked, queue.connection, store);
  if (state.kind === 'done' && !state.fresh && state.link.connectionId !== null) {
    return againLine(quotaText(store) ?? t('madeOn', formatOnDay(state.link.createdAt, now)), store);
  }
  // A message about the quota that appears just below a new link would look like an error.
  if (state.kind !== 'ready' && state.kind !== 'blocked') return null;
  const warning = isListMissing(queue.connection) ? t('linksNotLoaded') : quotaText(store);
  return warning && <Line tone="is-warning" text={warning} />;
}

/** Returns how many links are left today. Null if there are still many. */
function quotaText({ quota: { value: quota }, now }: PopupStore): string | null {
  if (!quota || quota.moreAt === null || quota.left >= quota.limit / 4) return null;
  const when = formatDateTime(quota.moreAt, now.value);
  return quota.left > 0 ? plural('quotaLow', quota.left, when) : t('quotaNone', when);
}

interface LineProps {
  tone?: 'is-warning' | 'is-danger';
  text: string;
  children?: ComponentChildren;
}

function Line({ tone, text, children }: LineProps) {
  return (
    <div class={`bottom-line ${tone ?? ''}`}>
      {tone === 'is-warning' && <Icon name="clock" />}
      <p>{text}</p>
      {children && <div class="row-buttons">{children}</div>}
    </div>
  );
}

/** Reason why the queue is blocked, with buttons that unblock the queue. */
function blockLine(blocked: BlockReason, connection: Connection, { apply }: PopupStore) {
  const [best, other] = blockRemedies(blocked);
  return (
    <Line tone="is-danger" text={t(`block_${blocked}`, displayUrl(connection.baseUrl).host)}>
      {best && (
        <button type="button" class="button" onClick={() => apply(best, connection)}>
          {remedyLabel(best)}
        </button>
      )}
      {other && <IconButton icon="retry" name={t('tryAgain')} press={() => apply(other, connection)} />}
    </Line>
  );
}

/** Buttons that create another link for a page that already has one. */
function againLine(text: string, { asking, shortenTarget, customize }: PopupStore) {
  return (
    <Line text={text}>
      <button
        type="button"
        class="text-button"
        onClick={() => shortenTarget(true)}
        aria-disabled={asking.value !== null}
      >
        {t('shortenAgain')}
      </button>
      <button type="button" class="text-button is-quiet" onClick={() => customize({ anew: true })}>
        {t('customize')}
      </button>
    </Line>
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
      if (!popup.querySelector('dialog[open], .link-form'))
        localStorage.setItem('popupHeight', String(popup.offsetHeight));
    });
    observer.observe(popup);
    return () => observer.disconnect();
  }, []);
}
