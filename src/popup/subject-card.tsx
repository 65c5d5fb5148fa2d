import { Address } from '../ui/address.tsx';
import { shown } from '../ui/addresses.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';
import type { Subject } from './stage.ts';

/** What is to be shortened: title and address, or the typed URL with the way back to the page. */
export function SubjectCard({ subject, leave }: { subject: Subject; leave: () => void }) {
  const url = subject.url ?? '';
  const initial = [...shown(url).host.replace(/^www\./, '')][0];
  return (
    <div class="subject">
      <span class="tile" aria-hidden="true">
        {initial ? initial.toUpperCase() : <Icon name="globe" />}
      </span>
      <div class="subject-text">
        <h2 class="subject-title">
          <bdi class="line" title={subject.title}>
            {subject.title || (subject.typed ? t('typedUrl') : t('untitled'))}
          </bdi>
        </h2>
        <p class="subject-url">
          <Address url={url} />
        </p>
      </div>
      {subject.typed && <IconButton icon="close" name={t('backToPage')} press={leave} />}
    </div>
  );
}
