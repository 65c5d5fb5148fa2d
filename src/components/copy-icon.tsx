import { readableUrl } from '@terse/contract/readable-host';
import { t } from '../format/i18n.ts';
import type { Copier } from './copier.ts';
import { IconButton } from './icons.tsx';

interface CopyIconProps {
  text: string;
  copier: Pick<Copier, 'copied' | 'copy'>;
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
