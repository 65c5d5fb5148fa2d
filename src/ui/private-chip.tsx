import { Icon } from './icons.tsx';
import { t } from './strings.ts';

/** In the head of what shows what belongs to private windows. `isSmall`: its words are heard, and shown on pointing alone. */
export function PrivateChip({ isSmall = false }: { isSmall?: boolean }) {
  return (
    <span class="chip" title={isSmall ? t('privateNote') : undefined}>
      <Icon name="private" />
      <span class={isSmall ? 'visually-hidden' : ''}>{t('privateNote')}</span>
    </span>
  );
}
