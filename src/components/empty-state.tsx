import type { ComponentChildren } from 'preact';
import { t } from '../format/i18n.ts';
import { Icon, type IconName } from './icons.tsx';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  text?: string;
  /** Button or link to the next step. */
  children: ComponentChildren;
}

/** Message that replaces an empty list and offers the next step. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <section class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </section>
  );
}

/** Message for pages that need a server. It is shown while no server is connected. */
export function NoServer({ openOptions }: { openOptions: () => void }) {
  return (
    <EmptyState icon="options" title={t('noServer')} text={t('noServerHint')}>
      <button type="button" class="button is-primary" onClick={openOptions}>
        {t('connectService')}
      </button>
    </EmptyState>
  );
}
