import { Icon, type IconName } from './icons.tsx';

interface IconButtonProps {
  icon: IconName;
  /** What it does, and to what: a list holds many of the same. */
  name: string;
  disabled?: boolean;
  class?: string;
  press: () => void;
}

/** A button that is only an icon; its name is read out, and shown on hover. */
export function IconButton({ icon, name, disabled = false, class: extra = '', press }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  );
}
