import { readableUrl } from '@terse/contract/readable-host';
import { useMemo } from 'preact/hooks';
import { type Clipboard, CopyIcon } from '../../components/copy-button.tsx';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText } from '../../format/display-text.ts';
import { plural, t, uiLocale } from '../../format/i18n.ts';
import type { Link } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { isExpired } from './search-and-sort.ts';
import type { LinksActions } from './use-links-actions.ts';

export interface LinkRowProps {
  link: Link;
  /** Name of the connection. Null if there is only one connection. */
  connectionName: string | null;
  otherHost: boolean;
  now: number;
  /** Day on which the link was created. */
  day: string;
  /** True if this link was copied last. */
  isCopied: boolean;
  isSelected: boolean;
  /** Actions for the link on its server. Null if the link exists only in this browser. */
  service: LinkService | null;
  /** True if at least one of the connected servers can list its links. */
  isAmongListed: boolean;
  actions: RowActions;
}

/** Actions of each row. The object does not change while the list is shown. */
export interface RowActions {
  copy: Clipboard['copy'];
  open: LinksActions['open'];
  select: (ids: string[], isSelected: boolean) => void;
  showQr: (shortUrl: string) => void;
  /** Shows only links with this tag. */
  searchTag: (tag: string) => void;
  remove: (link: Link) => void;
}

/** Actions that a server offers for a link. An action that the server does not support is undefined. */
export interface LinkService {
  showClicks: ((link: Link) => void) | undefined;
  edit: ((link: Link) => void) | undefined;
  canDelete: boolean;
}

/** A row of the list. To keep the search fast, a row renders again only if its data changed. */
export function LinkRow({ link, now, service, isAmongListed, ...row }: LinkRowProps) {
  const { connectionName, otherHost, day, isCopied, isSelected, actions } = row;
  const note = noteOf(link, service === null && isAmongListed, now);
  return useMemo(
    () => <RowContent {...{ link, note, service, connectionName, otherHost, day, isCopied, isSelected, actions }} />,
    [link, note, service, connectionName, otherHost, day, isCopied, isSelected, actions],
  );
}

type RowContentProps = Omit<LinkRowProps, 'now' | 'isAmongListed'> & { note: string };

function RowContent({ link, note, day, service, connectionName, otherHost, ...row }: RowContentProps) {
  const { isCopied, isSelected, actions } = row;
  const { id, title, url, shortUrl, clicks, tags = [] } = link;
  return (
    <li class="link" data-link={id}>
      <label class="tick">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={t('selectNamed', displayText(title || url))}
          onChange={(event) => actions.select([id], event.currentTarget.checked)}
        />
      </label>
      <div class="link-text">
        <div class="link-name">
          {title ? <UntrustedText class="link-title line" text={title} /> : <Address url={url} />}
          {tags.length > 0 && <Tags tags={tags} search={actions.searchTag} />}
        </div>
        <p class="link-facts">
          {title && <Address url={url} />}
          {connectionName !== null && <bdi class="link-connection line">{connectionName}</bdi>}
          <time dateTime={new Date(link.createdAt).toISOString()}>{day}</time>
          {note && <span class="link-note">{note}</span>}
        </p>
      </div>
      <ShortAddress url={shortUrl} otherHost={otherHost} />
      <span class="link-clicks">{clicks !== undefined && plural('clicksCount', clicks)}</span>
      <div class="link-actions">
        <CopyIcon text={shortUrl} clipboard={{ copied: isCopied ? shortUrl : null, copy: actions.copy }} />
        <Menu name={t('moreNamed', readableUrl(shortUrl))} items={itemsOf(link, service, actions)} />
      </div>
    </li>
  );
}

function Tags({ tags, search }: { tags: string[]; search: (tag: string) => void }) {
  return (
    <ul class="tags" aria-label={t('tags')}>
      {tags.map((tag) => {
        const name = t('showTag', displayText(tag));
        return (
          <li key={tag}>
            <button
              type="button"
              class="tag line"
              dir="auto"
              title={name}
              aria-label={name}
              onClick={() => search(tag)}
            >
              {displayText(tag)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function itemsOf(link: Link, service: LinkService | null, actions: RowActions): MenuItem[] {
  const { shortUrl } = link;
  const items: (MenuItem | null)[] = [
    { icon: 'open', label: t('open'), isDisabled: !isWebUrl(shortUrl), press: () => actions.open(link) },
    { icon: 'qr', label: t('qrTitle'), press: () => actions.showQr(shortUrl) },
    service?.showClicks ? { icon: 'chart', label: t('clicksTitle'), press: () => service.showClicks?.(link) } : null,
    service?.edit ? { icon: 'edit', label: t('edit'), press: () => service.edit?.(link) } : null,
    service?.canDelete === false
      ? null
      : {
          icon: 'trash',
          label: t(service ? 'delete' : 'removeFromList'),
          isDanger: true,
          press: () => actions.remove(link),
        },
  ];
  return items.filter((item) => item !== null);
}

/** Returns a short note about a link, such as its expiry. */
function noteOf(link: Link, isAlone: boolean, now: number): string {
  if (link.unlisted) return t('unlisted');
  if (isAlone) return t('onlyHere');
  if (link.expiresAt === null) return '';
  if (isExpired(link, now)) return t('expired');
  const form = new Intl.DateTimeFormat(uiLocale(), { dateStyle: 'medium', timeStyle: 'short' });
  return t('expiresOn', form.format(link.expiresAt));
}
