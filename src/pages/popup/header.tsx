import { IconButton, Mark } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { PrivateChip } from '../../components/page-shell.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { statusMessage } from '../../format/status-text.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import { countRequests, isFaulty, type ListedRequest } from '../../queue/status/request-status.ts';
import type { Queue } from '../../queue/types.ts';
import type { PopupStore } from './popup-store.ts';

/**
 * The popup's header, with the logo and links to other pages. If there are several connections, the user can also
 * switch between them.
 */
export function Header({ store }: { store: PopupStore }) {
  const { tab, queues, requests, chosen, openLinks, openMany, openOptions } = store;
  const hasChoice = queues.value.length > 1;
  const health = healthOf(queues.value, requests.value);
  return (
    <header class="bar">
      <span class={`logo ${health.tone ? `is-${health.tone}` : ''}`} title={health.message}>
        <Mark />
        <span class="visually-hidden">{health.message}</span>
      </span>
      <h1 class="visually-hidden">{t('extensionName')}</h1>
      {chosen.value && hasChoice && <ConnectionSwitch store={store} />}
      {tab.private && <PrivateChip isSmall={hasChoice} />}
      <nav class="bar-end">
        <IconButton icon="links" name={t('linksTitle')} press={openLinks} />
        <QueueButton store={store} />
        <Menu
          name={t('more')}
          items={[
            { icon: 'bulk', label: t('manyTitle'), press: () => void openMany() },
            { icon: 'options', label: t('options'), press: openOptions },
          ]}
        />
      </nav>
    </header>
  );
}

/** Returns the current problem of all queues. The tone is `danger` if the user must act. */
export function healthOf(
  queues: Queue[],
  requests: ListedRequest[],
): { tone: 'danger' | 'warning' | null; message: string } {
  const isBlocked = queues.some(({ state }) => state.blocked !== null);
  if (isBlocked || countRequests({ queues }).needUser > 0) return { tone: 'danger', message: t('actionNeeded') };
  const wait = queues.map(({ state }) => state.wait).find((one) => one && !one.named);
  const isRetrying = requests.some(({ request, status }) => isFaulty(status, request.problem));
  const reason = wait?.reason ?? (isRetrying ? 'delayed' : null);
  if (reason === null) return { tone: null, message: '' };
  return { tone: 'warning', message: statusMessage({ kind: 'waiting', reason, at: null }, null, 0) };
}

/**
 * Button that opens the queue. Its red badge shows the number of requests that need the user's action. If there are
 * no such requests, the badge is not red and shows the number of waiting requests. The request that the popup already
 * shows is not counted, so that the number does not change whenever the user shortens a page.
 */
function QueueButton({ store: { queues, state, openQueue } }: { store: PopupStore }) {
  const shownId = state.value.kind === 'pending' ? state.value.request.id : null;
  const others = queues.value.map((queue) => ({
    ...queue,
    requests: queue.requests.filter(({ id }) => id !== shownId),
  }));
  const { all, needUser } = countRequests({ queues: others });
  const count = needUser || all;
  const counted = plural(needUser > 0 ? 'needYouCount' : 'waitingCount', count);
  return (
    <span class="queue-button">
      <IconButton icon="queue" name={count === 0 ? t('queue') : t('queueWithCount', counted)} press={openQueue} />
      {count > 0 && (
        <span class={`badge ${needUser > 0 ? 'is-danger' : ''}`} aria-hidden="true">
          {count > 99 ? '99+' : formatNumber(count)}
        </span>
      )}
    </span>
  );
}

/** Menu for choosing the connection that the popup uses. Connections with a problem are shown with their status. */
function ConnectionSwitch({ store: { queues, connections, chosen, choose } }: { store: PopupStore }) {
  const names = connectionNames(connections.value);
  return (
    <select
      class="connection-switch"
      aria-label={t('connectionSwitch')}
      value={chosen.value?.connection.id}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {queues.value.map((queue) => {
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
