import type { ComponentChild, ComponentChildren } from 'preact';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { Address, ServerMessage, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { PopupStore } from './popup-store.ts';
import type { CurrentTarget } from './read-tab.ts';

/** Color of a tile. Red: the user must act. Amber: no action is needed. Green: success. Gray: everything else. */
export type Tone = 'is-danger' | 'is-warning' | 'is-good' | '';

/** Icon in place of the site's icon. */
export interface StatusTile {
  icon: IconName;
  tone?: Tone;
}

interface StageProps {
  store: PopupStore;
  /** Absent if the tile shows the site's icon. */
  tile?: StatusTile | undefined;
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
  return (
    <div class={`stage ${note === undefined ? 'is-message' : ''}`} aria-busy={isBusy}>
      <div class="stage-head">
        {tile ? (
          <span class={`tile ${tile.tone ?? ''}`} aria-hidden="true">
            <Icon name={tile.icon} />
          </span>
        ) : (
          <SiteTile target={store.target.value} />
        )}
        <div class="stage-text">{head}</div>
        {end}
      </div>
      <div class="stage-actions">{actions}</div>
      {note !== undefined && <div class="stage-note">{note}</div>}
    </div>
  );
}

/** The icon of the page's site, or the first letter of its host. */
function SiteTile({ target: { icon, url = '' } }: { target: CurrentTarget }) {
  if (icon !== null) {
    return (
      <span class="tile">
        <img src={icon} alt="" width="24" height="24" />
      </span>
    );
  }
  const initial = [...displayUrl(url).host.replace(/^www\./, '')][0];
  return (
    <span class="tile" aria-hidden="true">
      {initial ? initial.toUpperCase() : <Icon name="globe" />}
    </span>
  );
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

interface CardProps extends Pick<StageProps, 'store' | 'tile' | 'head' | 'note'> {
  /** Identifies what the card shows. If it changes, the main button gets the focus. Null if Enter could do harm. */
  focusKey: string | null;
  main: MainAction;
  others?: Action[];
}

/** Main area with one large button, which gets the focus, so that the user only needs to press Enter. */
export function Card({ focusKey, main, others = [], ...stage }: CardProps) {
  const { name, icon, press, look = 'is-primary', isBusy = false } = main;
  const focus = useAutofocus<HTMLButtonElement>(focusKey ?? '', focusKey !== null);
  return (
    <Stage
      {...stage}
      end={<EndButtons store={stage.store} />}
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

/**
 * Buttons beside the title. The back button makes the popup show the page in the current tab again. The edit button
 * opens the field for another URL.
 */
function EndButtons({ store: { target, chosen, leave, editUrl } }: { store: PopupStore }) {
  return (
    <div class="stage-end">
      {target.value.isOther && <IconButton icon="back" name={t('backToPage')} class="is-back" press={leave} />}
      {chosen.value && <IconButton icon="edit" name={t('otherUrl')} press={() => editUrl()} />}
    </div>
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

/** Title and address of the current page or of another URL. */
export function TitleAndAddress({ target }: { target: CurrentTarget }) {
  return (
    <>
      <Title target={target} />
      <Address url={target.url ?? ''} />
    </>
  );
}

interface TitleAndMessageProps {
  target: CurrentTarget;
  message: string | null;
  /** Message of the server. Empty if there is none. */
  serverMessage?: string;
}

/** Title of the current page or of another URL, and why it has no link. */
export function TitleAndMessage({ target, message, serverMessage = '' }: TitleAndMessageProps) {
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
