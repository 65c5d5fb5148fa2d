import type { ComponentChild, ComponentChildren } from 'preact';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { PopupStore } from './popup-store.ts';
import type { CurrentTarget } from './read-tab.ts';

interface StageProps {
  tile: ComponentChild;
  /** Text beside the tile. */
  head: ComponentChildren;
  /** Icon buttons after the text. */
  end?: ComponentChild;
  /** The primary button, and other buttons beside it. */
  actions: ComponentChild;
  /** Row below the primary button. Null for no row. */
  note: ComponentChild;
  busy?: boolean;
}

/** Main area of the popup. It has the same height in every state, so nothing below it moves when the result appears. */
export function Stage({ tile, head, end, actions, note, busy = false }: StageProps) {
  return (
    <div class={`stage ${note === null ? 'is-message' : ''}`} aria-busy={busy}>
      <div class="stage-head">
        {tile}
        <div class="stage-text">{head}</div>
        {end}
      </div>
      <div class="stage-actions">{actions}</div>
      {note !== null && <div class="stage-note">{note}</div>}
    </div>
  );
}

/** The icon of the page's site, or the first letter of its host. */
export function SiteTile({ target }: { target: CurrentTarget }) {
  const initial = [...displayUrl(target.url ?? '').host.replace(/^www\./, '')][0];
  if (target.icon !== null) {
    return (
      <span class="tile">
        <img src={target.icon} alt="" width="24" height="24" />
      </span>
    );
  }
  return (
    <span class="tile" aria-hidden="true">
      {initial ? initial.toUpperCase() : <Icon name="globe" />}
    </span>
  );
}

/** Color of a tile. Red: the user must act. Amber: no action is needed. Green: success. Gray: everything else. */
export type Tone = 'is-danger' | 'is-warning' | 'is-good' | '';

export function StatusTile({ icon, tone = '' }: { icon: IconName; tone?: Tone }) {
  return (
    <span class={`tile ${tone}`} aria-hidden="true">
      <Icon name={icon} />
    </span>
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

/**
 * Buttons beside the title. The back button makes the popup show the page in the current tab again. The edit button
 * opens the field for another URL.
 */
export function EndButtons({ store: { target, chosen, leave, editUrl } }: { store: PopupStore }) {
  return (
    <div class="stage-end">
      {target.value.isOther && <IconButton icon="back" name={t('backToPage')} class="is-back" press={leave} />}
      {chosen.value && <IconButton icon="edit" name={t('otherUrl')} press={() => editUrl()} />}
    </div>
  );
}

interface StageMessageProps {
  store: PopupStore;
  icon: IconName;
  tone?: Tone;
  actions: ComponentChild;
  children: ComponentChildren;
}

/** Message below the page's title. The message's buttons replace the popup's main button. */
export function StageMessage({ store, icon, tone = '', actions, children }: StageMessageProps) {
  return (
    <Stage
      tile={<StatusTile icon={icon} tone={tone} />}
      head={
        <>
          <Title target={store.target.value} />
          {children}
        </>
      }
      end={<EndButtons store={store} />}
      actions={actions}
      note={null}
    />
  );
}
