import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shownText } from '../platform/text.ts';
import type { Connection, Link } from '../queue/types.ts';
import { Address, ShortAddress } from '../ui/address.tsx';
import { Fact } from '../ui/fact.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { list, number, t } from '../ui/strings.ts';
import { day } from '../ui/when.ts';
import type { Contents, LeftOutEntry } from './contents.ts';
import type { DataHandlers } from './handlers.ts';
import type { Preview } from './use-data.ts';

/** Links and left-out entries that are named one by one. */
const FIRST = 5;

interface ImportDialogProps extends Preview {
  now: number;
  add: (...args: Parameters<DataHandlers['add']>) => void;
  close: () => void;
}

/** Shows what is in a file, what of it would be added and what not, before anything is. */
export function ImportDialog({ name, contents, plan, now, add, close }: ImportDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [withSettings, setWithSettings] = useState(contents.settings !== null);
  const { connections, links, requests } = plan.imported;
  const hasNew = connections.length + links.length + requests.length > 0;
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // A long preview begins at its top, not at its buttons.
    heading.current?.focus();
  }, []);

  return (
    <dialog ref={dialog} class="import" aria-labelledby="import-title" onClose={close}>
      <h2 id="import-title" ref={heading} tabIndex={-1}>
        {t('importTitle', shownText(name))}
      </h2>
      <dl class="report">
        <Fact name={t('importNewLinks')}>{number(links.length)}</Fact>
        {contents.connections.length > 0 && <Fact name={t('importNewConnections')}>{number(connections.length)}</Fact>}
        {contents.requests.length > 0 && <Fact name={t('importNewRequests')}>{number(requests.length)}</Fact>}
        {plan.alreadyHere > 0 && <Fact name={t('importAlreadyHere')}>{number(plan.alreadyHere)}</Fact>}
        {contents.leftOut.length > 0 && <Fact name={t('importLeftOut')}>{number(contents.leftOut.length)}</Fact>}
      </dl>
      {contents.guessedEncoding && <p class="problem">{t('importGuessed')}</p>}
      {contents.columns && <Columns columns={contents.columns} />}
      {links.length > 0 && <FirstLinks links={links} now={now} />}
      <LeftOutEntries leftOut={contents.leftOut} />
      {connections.length > 0 && <NewConnections connections={connections} />}
      {requests.length > 0 && <p class="help">{t('importRequests')}</p>}
      {contents.settings && (
        <label class="import-settings">
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

function Columns({ columns: { recognized, unused } }: { columns: NonNullable<Contents['columns']> }) {
  const isDated = recognized.some(({ field }) => field === 'createdAt');
  return (
    <ul class="import-columns help">
      {recognized.map(({ field, name }) => (
        <li key={field}>{t('importColumn', t(`importField_${field}`), shownText(name))}</li>
      ))}
      {unused.length > 0 && <li>{t('importUnused', list(unused.map(shownText)))}</li>}
      {!isDated && <li>{t('importUndated')}</li>}
    </ul>
  );
}

function FirstLinks({ links, now }: { links: Link[]; now: number }) {
  return (
    <section aria-label={t('importFirst')}>
      <ul class="import-first">
        {links.slice(0, FIRST).map(({ id, shortUrl, url, title, createdAt }) => (
          <li key={id}>
            <span class="import-link">
              <ShortAddress url={shortUrl} />
              <time dateTime={new Date(createdAt).toISOString()}>{day(createdAt, now)}</time>
            </span>
            {title && <ForeignText class="line" text={title} />}
            <Address url={url} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every one, whole: a file may hold a foreign one among those of the person, whose key is entered next. */
function NewConnections({ connections }: { connections: Connection[] }) {
  return (
    <div class="help">
      {t('importKeys')}
      <ul class="import-connections">
        {connections.map(({ id, baseUrl }) => (
          <li key={id}>
            <bdi dir="ltr">{shownText(baseUrl)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function LeftOutEntries({ leftOut }: { leftOut: Contents['leftOut'] }) {
  const more = leftOut.length - FIRST;
  return (
    <ul class="import-columns help">
      {leftOut.slice(0, FIRST).map((one) => (
        <li key={`${one.list} ${one.entry}`}>{leftOutSentence(one)}</li>
      ))}
      {more > 0 && <li>{t('importLeftOutMore', number(more))}</li>}
    </ul>
  );
}

/** Where an entry is that is left out, and why it is. */
function leftOutSentence({ list: name, entry, reason }: LeftOutEntry): string {
  const [at, why] = [number(entry), t(`importLeftOut_${reason}`)];
  return name === null ? t('importLeftOutEntry', at, why) : t('importLeftOutIn', shownText(name), at, why);
}
