import { t } from '../format/i18n.ts';
import type { PageStore } from './page-store.ts';

interface ConnectionSelectProps {
  look: 'button' | 'input page-end';
  store: Pick<PageStore, 'connections' | 'names' | 'chosen'>;
  choose: (connectionId: string) => void;
}

/** Menu for choosing the connection that a page uses. Absent if there is no choice. */
export function ConnectionSelect({ look, store: { connections, names, chosen }, choose }: ConnectionSelectProps) {
  if (connections.value.length < 2) return null;
  return (
    <select
      class={look}
      aria-label={t('connectionSwitch')}
      value={chosen.value?.connection.id}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {connections.value.map(({ id }) => (
        <option key={id} value={id}>
          {names.value.get(id)}
        </option>
      ))}
    </select>
  );
}
