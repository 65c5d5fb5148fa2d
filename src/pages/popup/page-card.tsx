import type { ComponentChild, ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, displayUrl, otherHost } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import type { Link } from '../../queue/types.ts';
import type { CurrentTarget } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';

/** Icon in place of the first letter of the site's host. */
export interface StatusTile {
  icon: IconName;
  /** Red: the user must act. Amber: no action is needed. Green: success. Gray: everything else. */
  tone?: 'is-danger' | 'is-warning' | 'is-good';
}

interface CardProps {
  store: PopupStore;
  /** Absent if the tile shows the first letter of the site's host. */
  tile?: StatusTile;
  /** Text beside the tile. */
  head: ComponentChildren;
  /** Icon buttons after the text. By default, they lead back to the page of the tab and open the field for a URL. */
  end?: ComponentChild;
  /** Row below the primary button. Absent for no row. */
  note?: ComponentChild;
  isBusy?: boolean;
  /** The primary button, and other buttons beside it. */
  children: ComponentChildren;
}

/** Layout of the main area. It has the same height in every state, so nothing below it moves when the result appears. */
export function Card({ store, tile, head, end, note, isBusy = false, children }: CardProps) {
  const { target, chosen, leave, editUrl } = store;
  const { host } = displayUrl(target.value.url ?? '');
  const initial = [...host.replace(/^www\./, '')][0]?.toUpperCase();
  return (
    <div class={`stage ${note === undefined ? 'is-message' : ''}`} aria-busy={isBusy}>
      <div class="stage-head">
        <span class={`tile ${tile?.tone ?? ''}`} aria-hidden="true">
          {(!tile && initial) || <Icon name={tile?.icon ?? 'globe'} />}
        </span>
        <div class="stage-text">{head}</div>
        {end ?? (
          <div class="stage-end">
            {target.value.isOther && <IconButton icon="back" name={t('backToPage')} press={leave} />}
            {chosen.value && <IconButton icon="edit" name={t('otherUrl')} press={() => editUrl()} />}
          </div>
        )}
      </div>
      <div class="stage-actions">{children}</div>
      {note !== undefined && <div class="stage-note">{note}</div>}
    </div>
  );
}

interface MainButtonProps {
  /** Identifies what the card shows. If it changes, the button gets the focus. Null if Enter could do harm. */
  focusKey: string | null;
  name: string;
  icon?: IconName;
  /** The button is inactive if `press` is absent. */
  press?: (() => void) | undefined;
  look?: 'is-primary' | 'is-sending' | '';
  isBusy?: boolean;
}

/** The large button of a card. It gets the focus, so that the user only needs to press Enter. */
export function MainButton({ focusKey, name, icon, press, look = 'is-primary', isBusy = false }: MainButtonProps) {
  const focus = useAutofocus<HTMLButtonElement>(focusKey ?? '', focusKey !== null);
  return (
    <button
      ref={focus}
      type="button"
      class={`button is-large ${look}`}
      aria-busy={isBusy}
      aria-disabled={isBusy || !press}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      {name}
    </button>
  );
}

/** Title of the current page or of another URL. Without a title, the URL. */
export function Title({ target: { title, url } }: { target: CurrentTarget }) {
  if (url && !displayText(title)) return <Address url={url} />;
  return <UntrustedText class="line" text={displayText(title) || t('untitled')} />;
}

/** The page's title and the button that shortens the page. While the request is sent, the button is inactive. */
export function ReadyCard({ store, sendingId }: { store: PopupStore; sendingId?: string }) {
  const { tab, target, chosen, asking, isSentPrivately, settings, customize, shortenTarget } = store;
  const { url = '', title, isOther, userInfoRemoved } = target.value;
  const isSending = sendingId !== undefined || isSentPrivately.value;
  const isBlocked = !tab.private && chosen.value !== null && chosen.value.state.blocked !== null;
  const hint = tab.private ? t('privateListed') : settings.autoCopy && t('shortenHint');
  return (
    <Card
      store={store}
      isBusy={isSending}
      head={
        <>
          <h2 class="stage-title">
            <Title target={target.value} />
          </h2>
          {displayText(title) && <Address url={url} />}
        </>
      }
      note={
        <>
          {userInfoRemoved ? (
            <p class="is-warning">{t('userInfoRemoved')}</p>
          ) : isSending && !tab.private ? (
            <p class="after-seconds">{t('popupCanClose')}</p>
          ) : (
            hint && <p>{hint}</p>
          )}
          {!isSending && (
            <button type="button" class="button is-quiet" onClick={() => customize()}>
              {t('customize')}
              <Icon name="later" />
            </button>
          )}
        </>
      }
    >
      <MainButton
        focusKey={sendingId ?? `ready ${url}`}
        name={t(isSending ? 'sending' : isBlocked ? 'saveForLater' : isOther ? 'shorten' : 'shortenPage')}
        press={isSending ? undefined : () => shortenTarget()}
        look={isSending ? 'is-sending' : 'is-primary'}
        isBusy={asking.value === url}
      />
    </Card>
  );
}

interface ShortUrlHeadProps {
  target: CurrentTarget;
  shortUrl: string;
  /** True if the host of the short URL differs from the server's usual host. */
  isOtherHost?: boolean;
  /** Short text before the title. It is never cut off. */
  fact: { text: string; tone: string; icon?: IconName } | null;
}

/** A short URL in large text, with the page title below it. */
export function ShortUrlHead({ target, shortUrl, isOtherHost = false, fact }: ShortUrlHeadProps) {
  return (
    <>
      <p class="stage-url">
        <ShortAddress url={shortUrl} otherHost={isOtherHost} />
      </p>
      <div class="stage-line">
        {fact?.icon && <Icon name={fact.icon} class={fact.tone} />}
        {fact && <strong class={fact.tone}>{fact.text}</strong>}
        <h2>
          <Title target={target} />
        </h2>
      </div>
    </>
  );
}

/** Shows the short URL, with buttons to copy it, open it and show its QR code. */
export function ResultCard({ link, store }: { link: Link; store: PopupStore }) {
  const { target, connections, copied, copy, showQr, open } = store;
  const { shortUrl } = link;
  const connection = connections.value.find(({ id }) => id === link.connectionId);
  const isOtherHost = otherHost(link, connection) !== null;
  const isCopied = copied.value === shortUrl;
  const warning = isOtherHost ? t('onOtherHost') : target.value.userInfoRemoved ? t('userInfoRemoved') : null;
  const done = isCopied ? { text: t('copied'), tone: 'is-good', icon: 'check' as const } : null;
  const fact = warning === null ? done : { text: warning, tone: 'is-warning' };
  return (
    <Card
      store={store}
      head={<ShortUrlHead target={target.value} {...{ shortUrl, isOtherHost, fact }} />}
      note={
        <>
          <button type="button" class="button is-wide" onClick={() => showQr(shortUrl)}>
            <Icon name="qr" />
            {t('qrTitle')}
          </button>
          <button type="button" class="button is-wide" onClick={() => open(shortUrl)}>
            <Icon name="open" />
            {t('open')}
          </button>
        </>
      }
    >
      <MainButton
        focusKey={link.id}
        icon="copy"
        name={t(isCopied ? 'copyAgain' : 'copy')}
        press={() => void copy(shortUrl)}
        look={isCopied ? '' : 'is-primary'}
      />
    </Card>
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
export function UrlField({ store }: { store: PopupStore }) {
  const { tab, draft, asking, isSentPrivately, target, state, editUrl, sendDraft } = store;
  const { text = '', problem = null, insteadOf } = draft.value ?? {};
  const blocked = state.value.kind === 'blocked' ? state.value.reason : null;
  const isAsking = asking.value !== null;
  const input = useAutofocus<HTMLInputElement>('', blocked !== null && hasKeyboard());
  const isOpened = draft.value !== null;
  useLayoutEffect(() => {
    if (isOpened) input.current?.focus();
  }, [isOpened]);
  const close = () => {
    draft.value = null;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void sendDraft();
  };
  return (
    <Card
      store={store}
      tile={{ icon: 'globe' }}
      head={
        blocked === null ? (
          <h2 class="stage-title">{t('otherUrl')}</h2>
        ) : (
          <>
            <h2 class="stage-title">
              <Title target={target.value} />
            </h2>
            <p id="blocked">{notShortenableMessage(blocked)}</p>
          </>
        )
      }
      end={blocked === null && <IconButton icon="close" name={t('close')} press={close} />}
      note={
        <>
          <p id="url-problem" class="problem" role="alert">
            {problem && notShortenableMessage(problem)}
          </p>
          {tab.private && problem === null && <p>{t('privateListed')}</p>}
        </>
      }
    >
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
          readOnly={isAsking}
          aria-invalid={problem !== null}
          aria-describedby={blocked !== null && problem === null ? 'blocked' : 'url-problem'}
          onInput={(event) => editUrl(event.currentTarget.value, insteadOf)}
        />
        <button
          type="submit"
          class="button"
          disabled={text.trim() === ''}
          aria-busy={isAsking}
          aria-disabled={isAsking}
        >
          {t(isSentPrivately.value ? 'sending' : 'shorten')}
        </button>
      </form>
    </Card>
  );
}
