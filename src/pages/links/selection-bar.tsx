import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { plural, t } from '../../format/i18n.ts';
import { connectionOfLink, isDeletable } from '../../link-sync/ask-server.ts';
import type { Connection, Link } from '../../queue/types.ts';
import type { LinksStore } from './links-store.ts';

/** Bar at the bottom of the page with actions for the selected links. */
export function SelectionBar({ store }: { store: LinksStore }) {
  const [isAsking, setAsking] = useState(false);
  const links = store.selected.value;
  const connections = store.connections.value;
  const { clearSelection } = store;
  const deletable = links.filter((link) => isDeletable(link, connections));
  const shortUrls = links.map(({ shortUrl }) => shortUrl).join('\n');
  const isCopied = store.copied.value === shortUrls;
  const copyText = t(isCopied ? 'copied' : 'copy');
  return (
    <section class="toolbar" aria-label={plural('selectedCount', links.length)}>
      <p aria-hidden="true">{plural('selectedCount', links.length)}</p>
      <Action icon={isCopied ? 'check' : 'copy'} name={copyText} press={() => void store.copy(shortUrls)} />
      <Action icon="down" name={t('exportCsv')} press={() => store.exportCsv(links)} />
      <Action
        icon="trash"
        name={t('delete')}
        isDanger
        isDisabled={deletable.length === 0}
        press={() => setAsking(true)}
      />
      <IconButton icon="close" name={t('clearSelection')} press={clearSelection} />
      {isAsking && (
        <ConfirmDialog
          {...consequencesOf(deletable, connections)}
          confirm={() => store.remove(deletable)}
          close={() => setAsking(false)}
        />
      )}
    </section>
  );
}

interface ActionProps {
  icon: IconName;
  name: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  press: () => void;
}

function Action({ icon, name, isDanger = false, isDisabled = false, press }: ActionProps) {
  const look = isDanger ? 'is-danger' : '';
  return (
    <button type="button" class={`button is-quiet ${look}`} title={name} disabled={isDisabled} onClick={press}>
      <Icon name={icon} />
      <span>{name}</span>
    </button>
  );
}

/**
 * Returns the texts of the dialog that confirms a deletion. Links on a server are deleted from that server. Other
 * links are only removed from the list.
 */
function consequencesOf(links: Link[], connections: Connection[]): { title: string; text: string; yes: string } {
  const onServer = links.filter((link) => connectionOfLink(link, connections)).length;
  if (onServer === 0) {
    const [title, text] = [plural('removeTitle', links.length), plural('removeText', links.length)];
    return { title, text, yes: t('removeFromList') };
  }
  const text = onServer === links.length ? plural('deleteText', onServer) : t('deleteSomeText');
  return { title: plural('deleteTitle', links.length), text, yes: t('delete') };
}
