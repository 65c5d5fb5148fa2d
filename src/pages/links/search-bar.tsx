import { Icon } from '../../components/icons.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Connection } from '../../queue/types.ts';
import { type Filter, SHOWS, SORTS, type Sort } from './search-and-sort.ts';

interface ToolsProps {
  filter: Filter;
  sort: Sort;
  connections: Connection[];
  setFilter: (change: Partial<Filter>) => void;
  setSort: (sort: Sort) => void;
}

/** Search field, filters and sort order. */
export function SearchBar({ filter, sort, connections, setFilter, setSort }: ToolsProps) {
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
          aria-label={t('connection')}
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
      <select
        class="input"
        aria-label={t('sort')}
        value={sort}
        onChange={(event) => setSort(SORTS.find((one) => one === event.currentTarget.value) ?? 'newest')}
      >
        {SORTS.map((one) => (
          <option key={one} value={one}>
            {t(`sort_${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
