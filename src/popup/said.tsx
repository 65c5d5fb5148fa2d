import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../ui/icons.tsx';

interface SaidProps {
  icon: IconName;
  tone?: 'is-danger' | 'is-warning' | '';
  busy?: boolean;
  children: ComponentChildren;
}

/** A sentence on the stage, with what can be done about it. */
export function Said({ icon, tone = '', busy = false, children }: SaidProps) {
  return (
    <div class={`stage said ${tone} ${busy ? 'is-busy' : ''}`} aria-busy={busy}>
      <Icon name={icon} />
      <div class="said-body">{children}</div>
    </div>
  );
}
