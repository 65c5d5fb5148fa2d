import type { ComponentChildren } from 'preact';
import type { Standing } from '../queue/standing.ts';
import type { Request } from '../queue/types.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';

interface RequestButtonsProps {
  request: Request;
  standing: Standing;
  /** In a list: icons alone. */
  compact?: boolean;
  actions: Actions;
}

/**
 * What can be done about a request: give it up; try again where it may have been created or was refused, and where it
 * waits for a time that nobody told. What is on its way cannot be called back.
 */
export function RequestButtons({ request, standing, compact = false, actions }: RequestButtonsProps) {
  if (standing.kind === 'sending') return null;
  const stopped = standing.kind === 'failed' || standing.kind === 'undecided';
  const title = request.title || request.url;
  const giveUp = () => actions.cancel(request.id);
  const again = stopped ? () => actions.retry(request.id) : standing.guessed ? actions.resume : null;
  const quit = stopped ? 'dismiss' : 'cancel';
  if (compact) {
    return (
      <div class="request-buttons">
        {again && <IconButton icon="retry" name={t('tryAgainNamed', title)} press={again} />}
        <IconButton icon="close" name={t(`${quit}Named`, title)} press={giveUp} />
      </div>
    );
  }
  return (
    <div class="actions">
      {standing.kind === 'waiting' && standing.reason === 'no_connection' && (
        <button type="button" class="button is-primary" onClick={actions.openOptions}>
          {t('connectService')}
        </button>
      )}
      {again && (
        <Plain name={t('tryAgainNamed', title)} press={again}>
          {t('tryAgain')}
        </Plain>
      )}
      <Plain name={t(`${quit}Named`, title)} quiet={again !== null} press={giveUp}>
        {t(quit)}
      </Plain>
    </div>
  );
}

interface PlainProps {
  name: string;
  quiet?: boolean;
  press: () => void;
  children: ComponentChildren;
}

function Plain({ name, quiet = false, press, children }: PlainProps) {
  return (
    <button type="button" class={`button ${quiet ? 'is-quiet' : ''}`} aria-label={name} onClick={press}>
      {children}
    </button>
  );
}
