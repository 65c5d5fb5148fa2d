import { readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useModal } from '../../components/dialogs.tsx';
import { displayText } from '../../format/display-text.ts';
import { formatNumber, t } from '../../format/i18n.ts';
import type { Connection } from '../../queue/types.ts';
import type { DataStore, Preview } from './data-store.ts';

interface ImportDialogProps extends Preview {
  add: (...args: Parameters<DataStore['add']>) => void;
  close: () => void;
}

/** Preview of an import: how many entries would be added and skipped. */
export function ImportDialog({ name, contents, added, add, close }: ImportDialogProps) {
  const dialog = useModal();
  const heading = useRef<HTMLHeadingElement>(null);
  const [withSettings, setWithSettings] = useState(contents.settings !== null);
  const { connections, links } = added;
  const hasNew = connections.length + links.length > 0;
  const known = contents.connections.length + contents.links.length - connections.length - links.length;
  useLayoutEffect(() => {
    // Focusing the heading keeps a long preview scrolled to the top. Otherwise, the browser would scroll to the
    // buttons.
    heading.current?.focus();
  }, []);

  return (
    <dialog ref={dialog} aria-labelledby="import-title" onClose={close}>
      <h2 id="import-title" ref={heading} tabIndex={-1}>
        {t('importTitle', displayText(name))}
      </h2>
      <dl class="report">
        <Row name={t('importNewLinks')}>{formatNumber(links.length)}</Row>
        {contents.connections.length > 0 && (
          <Row name={t('importNewConnections')}>{formatNumber(connections.length)}</Row>
        )}
        {known > 0 && <Row name={t('importAlreadyHere')}>{formatNumber(known)}</Row>}
        {contents.skipped > 0 && <Row name={t('importLeftOut')}>{formatNumber(contents.skipped)}</Row>}
      </dl>
      {connections.length > 0 && <NewConnections connections={connections} />}
      {contents.settings && (
        <label class="check">
          <input
            type="checkbox"
            checked={withSettings}
            onChange={(event) => setWithSettings(event.currentTarget.checked)}
          />
          {t('importSettings')}
        </label>
      )}
      {!hasNew && <p>{t('importNothing')}</p>}
      <div class="actions">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
        {(hasNew || withSettings) && (
          <button
            type="button"
            class="button is-primary"
            onClick={() => {
              add(contents, withSettings ? contents.settings : null);
              dialog.current?.close();
            }}
          >
            {t('importNow')}
          </button>
        )}
      </div>
    </dialog>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="report-row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * Lists the full URLs of all new connections, because the file may contain servers that the user does not know. The
 * user will enter an API key for each of these servers.
 */
function NewConnections({ connections }: { connections: Connection[] }) {
  return (
    <div class="help">
      {t('importKeys')}
      <ul>
        {connections.map(({ id, baseUrl }) => (
          <li key={id}>
            <bdi dir="ltr">{displayText(readableUrl(baseUrl))}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
