import type { ComponentChild, ComponentChildren } from 'preact';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { ServerMessage, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import type { CurrentTarget } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';

/** Icon in place of the first letter of the site's host. */
export interface StatusTile {
  icon: IconName;
  /** Red: the user must act. Amber: no action is needed. Green: success. Gray: everything else. */
  tone?: 'is-danger' | 'is-warning' | 'is-good' | '';
}

/** An icon button beside the main button of a card. */
export interface Action {
  icon: IconName;
  name: string;
  press: () => void;
}

/** Main button of a card. */
export interface MainAction {
  name: string;
  icon?: IconName;
  /** The button is inactive if `press` is absent. */
  press?: () => void;
  look?: 'is-primary' | 'is-sending' | '';
  isBusy?: boolean;
}

interface StageProps {
  store: PopupStore;
  /** Absent if the tile shows the first letter of the site's host. */
  tile?: StatusTile;
  /** Text beside the tile. */
  head: ComponentChildren;
  /** Icon buttons after the text. */
  end: ComponentChild;
  /** The primary button, and other buttons beside it. */
  actions: ComponentChild;
  /** Row below the primary button. Absent for no row. */
  note?: ComponentChild;
  isBusy?: boolean;
}

/** Main area of the popup. It has the same height in every state, so nothing below it moves when the result appears. */
export function Stage({ store, tile, head, end, actions, note, isBusy = false }: StageProps) {
  const { host } = displayUrl(store.target.value.url ?? '');
  const initial = [...host.replace(/^www\./, '')][0]?.toUpperCase();
  return (
    <div class={`stage ${note === undefined ? 'is-message' : ''}`} aria-busy={isBusy}>
      <div class="stage-head">
        <span class={`tile ${tile?.tone ?? ''}`} aria-hidden="true">
          {(!tile && initial) || <Icon name={tile?.icon ?? 'globe'} />}
        </span>
        <div class="stage-text">{head}</div>
        {end}
      </div>
      <div class="stage-actions">{actions}</div>
      {note !== undefined && <div class="stage-note">{note}</div>}
    </div>
  );
}

interface CardProps extends Pick<StageProps, 'store' | 'tile' | 'head' | 'note'> {
  /** Identifies what the card shows. If it changes, the main button gets the focus. Null if Enter could do harm. */
  focusKey: string | null;
  main: MainAction;
  others?: Action[];
}

/** Main area with one large button, which gets the focus, so that the user only needs to press Enter. */
export function Card({ focusKey, main, others = [], ...stage }: CardProps) {
  const { name, icon, press, look = 'is-primary', isBusy = false } = main;
  const { target, chosen, leave, editUrl } = stage.store;
  const focus = useAutofocus<HTMLButtonElement>(focusKey ?? '', focusKey !== null);
  return (
    <Stage
      {...stage}
      end={
        <div class="stage-end">
          {target.value.isOther && <IconButton icon="back" name={t('backToPage')} class="is-back" press={leave} />}
          {chosen.value && <IconButton icon="edit" name={t('otherUrl')} press={() => editUrl()} />}
        </div>
      }
      actions={
        <>
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
          {others.map((action) => (
            <IconButton key={action.name} {...action} />
          ))}
        </>
      }
      isBusy={look === 'is-sending'}
    />
  );
}

/** Title of the current page or of another URL. */
export function Title({ target: { title, isOther } }: { target: CurrentTarget }) {
  return (
    <h2 class="stage-title">
      {displayText(title) ? <UntrustedText class="line" text={title} /> : t(isOther ? 'typedUrl' : 'untitled')}
    </h2>
  );
}

interface TitleAndMessageProps {
  target: CurrentTarget;
  message: string | null;
  /** Message of the server. Empty if there is none. */
  serverMessage: string;
}

/** Title of the current page or of another URL, and why it has no link. */
export function TitleAndMessage({ target, message, serverMessage }: TitleAndMessageProps) {
  return (
    <>
      <Title target={target} />
      <p>{message}</p>
      {serverMessage && (
        <p class="service-words">
          <ServerMessage text={serverMessage} />
        </p>
      )}
    </>
  );
}

interface ShortUrlHeadProps {
  target: CurrentTarget;
  shortUrl: string;
  /** True if the host of the short URL differs from the server's usual host. */
  isOtherHost?: boolean;
  /** Short text before the title. It is never cut off. */
  note: { text: string; tone: string; icon?: IconName } | null;
  /** Opens the short URL. If `open` is absent, the short URL is shown as plain text. */
  open?: (() => void) | undefined;
}

/** A short URL in large text, with the page title below it. */
export function ShortUrlHead({ target, shortUrl, isOtherHost = false, note, open }: ShortUrlHeadProps) {
  const { title, isOther, url } = target;
  const text = displayText(title) || displayText(url ?? '') || t(isOther ? 'typedUrl' : 'untitled');
  const address = <ShortAddress url={shortUrl} otherHost={isOtherHost} />;
  const follow = (event: Event) => {
    // `open` opens the link, if necessary in a private window. The browser must not open the link a second time.
    event.preventDefault();
    open?.();
  };
  return (
    <>
      <p class="stage-url">
        {open && isWebUrl(shortUrl) ? (
          <a href={shortUrl} onClick={follow} onAuxClick={follow}>
            {address}
          </a>
        ) : (
          address
        )}
      </p>
      <div class="stage-line">
        {note?.icon && <Icon name={note.icon} class={note.tone} />}
        {note && <strong class={note.tone}>{note.text}</strong>}
        <h2>
          <UntrustedText class="line" text={text} />
        </h2>
      </div>
    </>
  );
}

/** Returns the button that copies a short URL. */
export function copyAction(shortUrl: string, { copied, copy }: PopupStore): MainAction {
  const isCopied = copied.value === shortUrl;
  return {
    icon: 'copy',
    name: t(isCopied ? 'copyAgain' : 'copy'),
    press: () => void copy(shortUrl),
    look: isCopied ? '' : 'is-primary',
  };
}
