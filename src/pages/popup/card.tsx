import type { ComponentChild, ComponentChildren } from 'preact';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { Address, ServerMessage, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
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

/** Main area of the popup. It has the same height in every state, so nothing below it moves when the result appears. */
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
            {target.value.isOther && <IconButton icon="back" name={t('backToPage')} class="is-back" press={leave} />}
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
  press?: () => void;
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

/** Title of the current page or of another URL. */
export function Title({ target: { title, isOther } }: { target: CurrentTarget }) {
  return (
    <h2 class="stage-title">
      {displayText(title) ? <UntrustedText class="line" text={title} /> : t(isOther ? 'typedUrl' : 'untitled')}
    </h2>
  );
}

/** A button of a card about a problem. */
export interface Action {
  icon: IconName;
  name: string;
  press: () => void;
}

interface ProblemCardProps extends Pick<MainButtonProps, 'focusKey' | 'look' | 'isBusy'> {
  store: PopupStore;
  tile: StatusTile;
  message: string | null;
  /** Message of the server. Empty if there is none. */
  serverMessage: string;
  /** Buttons for the user, the best one first. */
  actions: [Action, ...Action[]];
}

/** The title of the page or of another URL, and why it has no link yet. */
export function ProblemCard({ store, tile, message, serverMessage, actions, ...button }: ProblemCardProps) {
  const [main, ...others] = actions;
  return (
    <Card
      store={store}
      tile={tile}
      head={
        <>
          <Title target={store.target.value} />
          <p>{message}</p>
          {serverMessage && (
            <p class="service-words">
              <ServerMessage text={serverMessage} />
            </p>
          )}
        </>
      }
    >
      <MainButton name={main.name} press={main.press} {...button} />
      {others.map((action) => (
        <IconButton key={action.name} {...action} />
      ))}
    </Card>
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
          {displayText(title) ? (
            <UntrustedText class="line" text={title} />
          ) : url ? (
            <Address url={url} />
          ) : (
            t(isOther ? 'typedUrl' : 'untitled')
          )}
        </h2>
      </div>
    </>
  );
}

interface CopyButtonProps {
  focusKey: string;
  shortUrl: string;
  /** True if the short URL works only once its request has been sent. */
  isEarly?: boolean;
  store: PopupStore;
}

/** The large button that copies a short URL. */
export function CopyButton({ focusKey, shortUrl, isEarly = false, store: { copied, copy } }: CopyButtonProps) {
  const isCopied = copied.value === shortUrl;
  return (
    <MainButton
      focusKey={focusKey}
      icon="copy"
      name={t(isCopied ? 'copyAgain' : 'copy')}
      press={() => void copy(shortUrl)}
      look={isCopied || isEarly ? '' : 'is-primary'}
    />
  );
}
