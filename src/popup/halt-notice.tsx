import type { Halt } from '../queue/types.ts';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';

/** Nothing is sent before the person acts: says what about, with the one thing to do. */
export function HaltNotice({ halt, baseUrl, actions }: { halt: Halt; baseUrl: string; actions: Actions }) {
  return (
    <section class="notice is-warning" aria-label={t('halted')}>
      <Icon name="warning" class="notice-icon" />
      <p>{t(`halt_${halt}`, new URL(baseUrl).host)}</p>
      <div class="actions">
        {halt === 'permission' ? (
          <button type="button" class="button" onClick={() => actions.allowService(baseUrl)}>
            {t('allow')}
          </button>
        ) : (
          <>
            <button type="button" class="button" onClick={actions.openOptions}>
              {t('openOptions')}
            </button>
            <button type="button" class="button is-quiet" onClick={actions.resume}>
              {t('tryAgain')}
            </button>
          </>
        )}
      </div>
    </section>
  );
}
