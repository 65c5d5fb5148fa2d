import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useReturnFocus } from '../../components/focus.ts';
import { AllBox, useShowMore } from '../../components/long-list.tsx';
import { plural, t } from '../../format/i18n.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { LinkRow } from './link-row.tsx';
import type { LinksStore } from './links-store.ts';
import { SORTS } from './search-and-sort.ts';

/** The list of links. */
export function LinkList({ store, heading }: { store: LinksStore; heading: RefObject<HTMLElement | null> }) {
  const list = useRef<HTMLDivElement>(null);
  const links = store.found.value;
  const connections = store.connections.value;
  const names = store.names.value;
  const selected = new Set(store.selected.value);
  const canList = connections.some((connection) => capabilitiesOf(connection).list);
  const { shown, more } = useShowMore(links, list, '.link');
  useReturnFocus(list, heading);
  const focusedRow = store.focusedRow.value;
  useLayoutEffect(() => {
    if (focusedRow === null) return;
    const row = list.current?.querySelectorAll('.link')[focusedRow];
    row?.querySelector<HTMLElement>('.menu > button')?.focus();
    store.focusedRow.value = null;
  }, [focusedRow]);

  return (
    <section class="card is-list" aria-labelledby="links-total" onKeyDown={moveBetweenRows}>
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

/**
 * Selector for the controls of a row that the arrow keys can reach. Menu items are not included, because an open menu
 * handles these keys itself.
 */
const CONTROLS = 'input, .link-actions > button, .menu > button';

/**
 * Moves the focus between the rows of a list. The up and down arrow keys move to the same control in the previous or
 * next row. Home and End move to the first and last row.
 */
function moveBetweenRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll('.link')];
  const index = rows.findIndex((row) => row.contains(event.target as Node));
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined || index < 0) return;
  const control = controlsOf(rows[index]).indexOf(event.target as HTMLElement);
  event.preventDefault();
  controlsOf(rows[next])[Math.max(0, control)]?.focus();
}

function controlsOf(row: Element | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
}
