/// <reference types="vite/types/importMeta.d.ts" />
import { t } from '../format/i18n.ts';
import { Icon } from './icons.tsx';

/** Link to the project's public address, which is set at build time. Renders nothing if no address is set. */
export function ProjectLink() {
  const address = import.meta.env.VITE_PROJECT_URL;
  if (!address) return null;
  return (
    <a class="text-button outward" href={address} target="_blank" rel="noreferrer">
      <Icon name="open" />
      {t('aboutProject')}
    </a>
  );
}
