import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../ui/icons.tsx';

interface MessageBoxProps {
  icon: IconName;
  tone?: 'is-danger' | 'is-warning' | '';
  busy?: boolean;
  children: ComponentChildren;
}

/** A sentence in the middle of the popup, with what can be done about it. */
export function MessageBox({ icon, tone = '', busy = false, children }: MessageBoxProps) {
  return (
    <div class={`state message ${tone} ${busy ? 'is-busy' : ''}`} aria-busy={busy}>
      <Icon name={icon} />
      <div class="message-body">{children}</div>
    </div>
  );
}
