import { connectionStatus } from '../queue/connection-status.ts';
import type { Queue } from '../queue/types.ts';
import { t } from '../ui/strings.ts';

interface ConnectionSwitchProps {
  queues: Queue[];
  names: Map<string, string>;
  chosen: Queue;
  choose: (connectionId: string) => void;
}

/** Which connection the popup shortens with. One that cannot send says so before it is chosen. */
export function ConnectionSwitch({ queues, names, chosen, choose }: ConnectionSwitchProps) {
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
