import { Icon } from '../../components/icons.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Connection } from '../../queue/types.ts';
import { type Filter, SHOWS } from './search-and-sort.ts';

interface ToolsProps {
  filter: Filter;
  connections: Connection[];
  setFilter: (change: Partial<Filter>) => void;
}

/** Search field and filters. */
export function SearchBar({ filter, connections, setFilter }: ToolsProps) {
  const names = connectionNames(connections);
  return (
    <div class="tools">
      <div class="search">
        <Icon name="search" />
        <input
          class="input"
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={filter.query}
          onInput={(event) => setFilter({ query: event.currentTarget.value })}
        />
      </div>
      {connections.length > 1 && (
        <select
          class="input"
          aria-label={t('reportService')}
          value={filter.connectionId ?? ''}
          onChange={(event) => setFilter({ connectionId: event.currentTarget.value || null })}
        >
          <option value="">{t('connectionsAll')}</option>
          {connections.map(({ id }) => (
            <option key={id} value={id}>
              {names.get(id)}
            </option>
          ))}
        </select>
      )}
      <select
        class="input"
        aria-label={t('show')}
        value={filter.show}
        onChange={(event) => setFilter({ show: SHOWS.find((one) => one === event.currentTarget.value) ?? 'all' })}
      >
        {SHOWS.map((show) => (
          <option key={show} value={show}>
            {t(`show_${show}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
