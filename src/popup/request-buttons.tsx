import type { Standing } from '../queue/standing.ts';
import type { Request } from '../queue/types.ts';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';

/**
 * What can be done about a request: give it up while it waits; decide, where it may have been created or was refused.
 * What is on its way, or will safely be sent again, cannot be called back.
 */
export function RequestButtons({
  request,
  standing,
  actions,
}: {
  request: Request;
  standing: Standing;
  actions: Actions;
}) {
  const named = (key: 'cancelNamed' | 'dismissNamed' | 'tryAgainNamed') => t(key, request.title || request.url);
  if (standing.kind === 'waiting') {
    return (
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-label={named('cancelNamed')}
          onClick={() => actions.cancel(request.id)}
        >
          {t('cancel')}
        </button>
      </div>
    );
  }
  if (standing.kind !== 'failed' && standing.kind !== 'undecided') return null;
  return (
    <div class="actions">
      <button
        type="button"
        class="button"
        aria-label={named('tryAgainNamed')}
        onClick={() => actions.retry(request.id)}
      >
        {t('tryAgain')}
      </button>
      <button
        type="button"
        class="button is-quiet"
        aria-label={named('dismissNamed')}
        onClick={() => actions.cancel(request.id)}
      >
        {t('dismiss')}
      </button>
    </div>
  );
}
