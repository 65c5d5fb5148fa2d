import { IconButton } from './icon-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './strings.ts';
import type { Problem } from './use-problem.ts';

/** What went wrong. It stays until it is put away, or the next thing goes well. */
export function ProblemToast({ problem, dismiss }: { problem: Problem; dismiss: () => void }) {
  return (
    <div class="toast is-danger">
      <Icon name="warning" />
      <p>
        {problem.text}{' '}
        {problem.url && (
          <bdi dir="ltr" class="whole">
            {problem.url}
          </bdi>
        )}
      </p>
      <IconButton icon="close" name={t('dismiss')} press={dismiss} />
    </div>
  );
}
