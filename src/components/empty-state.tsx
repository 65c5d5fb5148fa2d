import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  text: string;
  /** The control that leads on. */
  children: ComponentChildren;
}

/** Shown instead of a list that is empty: a sentence, and the control that leads on. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <section class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}
