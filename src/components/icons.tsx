import { readableUrl } from '@terse/contract/readable-host';
import { ICON_PATHS, type IconName } from '@terse/design';
import { t } from '../format/i18n.ts';
import type { PageStore } from './page-store.ts';

export type { IconName };

/** A decorative icon that screen readers ignore. The button or link that contains the icon needs a label. */
export function Icon({ name, class: extra = '' }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}

/** The logo: a T followed by a full stop. The shapes match design/icon.svg. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="16" height="16" rx="4" />
      <path class="mark-letter" d="M4 5h6M7 5v6" />
      <circle class="mark-stop" cx="12" cy="11" r="1.25" />
    </svg>
  );
}

interface IconButtonProps {
  icon: IconName;
  /** Label that names the action and its object, because a list has many such buttons. */
  name: string;
  /** True if the button does nothing now. A disabled button would lose the focus. */
  isInactive?: boolean;
  class?: string;
  press: () => void;
}

/** A button with only an icon. Screen readers read its label, and the browser shows the label on hover. */
export function IconButton({ icon, name, isInactive = false, class: extra = '', press }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      aria-label={name}
      title={name}
      aria-disabled={isInactive}
      onClick={isInactive ? undefined : press}
    >
      <Icon name={icon} />
    </button>
  );
}

interface CopyIconProps {
  text: string;
  copier: Pick<PageStore, 'copied' | 'copy'>;
  /** True if the short URL does not work yet. */
  isEarly?: boolean;
}

/** Copy button of a list row. Its icon becomes a check mark after copying. */
export function CopyIcon({ text, copier, isEarly = false }: CopyIconProps) {
  const done = copier.copied.value === text;
  return (
    <IconButton
      icon={done ? 'check' : 'copy'}
      name={t(done ? 'copiedNamed' : isEarly ? 'copyNowNamed' : 'copyNamed', readableUrl(text))}
      class={done ? 'is-done' : ''}
      press={() => void copier.copy(text)}
    />
  );
}
