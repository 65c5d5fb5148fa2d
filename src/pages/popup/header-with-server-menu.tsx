import { IconButton, Mark } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { PrivateChip } from '../../components/page-shell.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import type { Queue } from '../../queue/types.ts';
import type { Health } from './popup-health.ts';
import type { PopupActions } from './use-popup-actions.ts';

interface HeaderProps {
  queues: Queue[];
  names: Map<string, string>;
  chosen: Queue | null;
  health: Health;
  isPrivate: boolean;
  handlers: PopupActions;
}

/**
 * The popup's header, with the logo and links to other pages. If there are several connections, the user can also
 * switch between them.
 */
export function Header({ queues, names, chosen, health, isPrivate, handlers }: HeaderProps) {
  const hasChoice = queues.length > 1;
  return (
    <header class="bar">
      <span class={`logo ${health.tone ? `is-${health.tone}` : ''}`} title={health.message}>
        <Mark />
        <span class="visually-hidden">{health.message}</span>
      </span>
      <h1 class="visually-hidden">{t('extensionName')}</h1>
      {chosen && hasChoice && (
        <ConnectionSwitch queues={queues} names={names} chosen={chosen} choose={handlers.choose} />
      )}
      {isPrivate && <PrivateChip isSmall={hasChoice} />}
      <nav class="bar-end">
        <IconButton icon="links" name={t('linksTitle')} press={handlers.openLinks} />
        <QueueButton {...health} press={handlers.openQueue} />
        <Menu
          name={t('more')}
          items={[
            { icon: 'bulk', label: t('manyTitle'), press: handlers.openMany },
            { icon: 'options', label: t('options'), press: handlers.openOptions },
          ]}
        />
      </nav>
    </header>
  );
}

/**
 * Button that opens the queue. Its red badge shows the number of requests that need the user's action. If there are
 * no such requests, the badge is not red and shows the number of waiting requests.
 */
function QueueButton({ all, needUser, press }: Health & { press: () => void }) {
  const count = needUser || all;
  const counted = plural(needUser > 0 ? 'needYouCount' : 'waitingCount', count);
  return (
    <span class="queue-button">
      <IconButton icon="queue" name={count === 0 ? t('queue') : t('queueWithCount', counted)} press={press} />
      {count > 0 && (
        <span class={`badge ${needUser > 0 ? 'is-danger' : ''}`} aria-hidden="true">
          {count > 99 ? '99+' : formatNumber(count)}
        </span>
      )}
    </span>
  );
}

interface ConnectionSwitchProps {
  queues: Queue[];
  names: Map<string, string>;
  chosen: Queue;
  choose: (connectionId: string) => void;
}

/**
 * Menu for choosing the connection that the popup uses. Connections that have a problem are shown with their status.
 */
function ConnectionSwitch({ queues, names, chosen, choose }: ConnectionSwitchProps) {
  return (
    <select
      class="connection-switch"
      aria-label={t('connectionSwitch')}
      value={chosen.connection.id}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {queues.map((queue) => {
        const { id } = queue.connection;
        const status = connectionStatus(queue);
        const isFine = status === 'connected' || status === 'saved';
        return (
          <option key={id} value={id}>
            {isFine ? names.get(id) : t('connectionWithStatus', names.get(id) ?? '', t(`connection_${status}`))}
          </option>
        );
      })}
    </select>
  );
}
