import { useRef } from 'preact/hooks';
import { AllBox, useShowMore } from '../../components/long-list.tsx';
import { plural, t } from '../../format/i18n.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { LinkRow } from './link-row.tsx';
import type { LinksStore } from './links-store.ts';
import { SORTS } from './search-and-sort.ts';

/** The list of links. */
export function LinkList({ store }: { store: LinksStore }) {
  const list = useRef<HTMLDivElement>(null);
  const links = store.found.value;
  const connections = store.connections.value;
  const names = store.names.value;
  const selected = new Set(store.selected.value);
  const canList = connections.some((connection) => capabilitiesOf(connection).list);
  const { shown, more } = useShowMore(links, list, '.link');

  return (
    <section class="card is-list" aria-labelledby="links-total">
      <div class="list-head">
        <AllBox
          label={t('selectAll')}
          total={links.length}
          selected={selected.size}
          set={(isSelected) =>
            store.select(
              links.map(({ id }) => id),
              isSelected,
            )
          }
        />
        <h2 id="links-total" class="list-title">
          {store.isComplete.value ? plural('linksCount', links.length) : t('linksTitle')}
        </h2>
        <select
          class="button is-quiet"
          aria-label={t('sort')}
          value={store.sort.value}
          onChange={(event) => {
            store.sort.value = SORTS.find((one) => one === event.currentTarget.value) ?? 'newest';
          }}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {t(`sort_${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div ref={list}>
        <ul>
          {shown.map((link) => (
            <LinkRow
              key={link.id}
              {...{ link, connections, canList, store }}
              isSelected={selected.has(link)}
              connectionName={(names.size > 1 && names.get(link.connectionId ?? '')) || null}
            />
          ))}
        </ul>
      </div>
      {more}
    </section>
  );
}
