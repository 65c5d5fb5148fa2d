import { TITLE_LIMIT } from '@terse/contract/link-fields';
import { readableUrl } from '@terse/contract/readable-host';
import { useRef, useState } from 'preact/hooks';
import { useModal } from '../../components/dialogs.tsx';
import { fromField, toField } from '../../components/link-form/link-form-values.ts';
import { help, mistake, TextField } from '../../components/text-field.tsx';
import { ShortAddress } from '../../components/url-and-title.tsx';
import { t } from '../../format/i18n.ts';
import type { LinkChanges } from '../../servers/adapter.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { formatTags, readTags } from '../../servers/parse-and-format-tags.ts';
import type { LinkDialogProps } from './links-store.ts';

/**
 * Dialog that edits a link's URL, title, tags and expiry. Only changed fields are sent. If the tags of the link are
 * unknown, they cannot be edited, because the new tags would replace the unknown ones.
 */
export function EditDialog({ link, server, store }: LinkDialogProps) {
  const can = capabilitiesOf(server);
  const dialog = useModal();
  const expiry = useRef<HTMLInputElement>(null);
  const before = {
    url: link.url,
    title: link.title,
    tags: formatTags(link.tags),
    expiresAt: link.expiresAt === null ? '' : toField(link.expiresAt),
  };
  const tagsInput = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(before);
  const [problem, setProblem] = useState('');
  const [hasBadTags, setBadTags] = useState(false);
  const [saving, setSaving] = useState(false);

  const set = (change: Partial<typeof draft>) => {
    setDraft({ ...draft, ...change });
    setProblem('');
    setBadTags(false);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (saving) return;
    const tags = draft.tags === before.tags ? undefined : readTags(draft.tags, link.tags);
    if (tags === null) {
      tagsInput.current?.focus();
      return setBadTags(true);
    }
    const changes = { ...changesOf(before, draft), ...(tags && { tags }) };
    const isPast = changes.expiresAt && Date.parse(changes.expiresAt) <= Date.now();
    // The field has an empty value while its date or time is incomplete. Sending this value would remove the expiry.
    if (isPast || expiry.current?.validity.badInput) {
      expiry.current?.focus();
      return setProblem(t('expiryPast'));
    }
    if (!can.clear && (changes.title === null || changes.expiresAt === null)) return setProblem(t('editCannotClear'));
    if (Object.keys(changes).length === 0) return dialog.current?.close();
    setSaving(true);
    const refused = await store.edit(link, changes);
    setSaving(false);
    if (refused === null) dialog.current?.close();
    else if (dialog.current?.open) setProblem(refused);
    else store.flash.value = { text: refused, url: readableUrl(link.shortUrl) };
  };

  return (
    <dialog ref={dialog} aria-labelledby="edit-title" onClose={store.closeDialog}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <h2 id="edit-title">{t('editTitle')}</h2>
        <ShortAddress url={link.shortUrl} />
        <TextField
          id="edit-url"
          label={t('editAddress')}
          value={draft.url}
          enter={(url) => set({ url })}
          attributes={{ type: 'url', dir: 'ltr', readOnly: saving }}
        />
        <TextField
          id="edit-name"
          label={t('linkTitle')}
          value={draft.title}
          enter={(title) => set({ title })}
          attributes={{ dir: 'auto', spellcheck: true, maxLength: TITLE_LIMIT, readOnly: saving }}
        />
        {can.tags && link.tags && (
          <TextField
            id="edit-tags"
            label={t('tags')}
            value={draft.tags}
            enter={(tags) => set({ tags })}
            hint={hasBadTags ? mistake(t('tagsMalformed')) : help(t('tagsHelp'))}
            input={tagsInput}
            attributes={{ dir: 'auto', readOnly: saving }}
          />
        )}
        <TextField
          id="edit-expiry"
          label={t('expiry')}
          value={draft.expiresAt}
          enter={(expiresAt) => set({ expiresAt })}
          hint={help(can.clear ? t('editExpiryHelp') : '')}
          input={expiry}
          attributes={{ type: 'datetime-local', readOnly: saving }}
        />
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </button>
          <button type="submit" class="button is-primary" aria-disabled={saving}>
            {t(saving ? 'saving' : 'save')}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Text of each field. Tags are separated by commas, and `expiresAt` is in the user's time zone. */
type Draft = Record<'url' | 'title' | 'tags' | 'expiresAt', string>;

function changesOf(before: Draft, { url, title, expiresAt }: Draft): LinkChanges {
  const at = fromField(expiresAt);
  return {
    ...(url.trim() !== before.url && { url: url.trim() }),
    ...(title.trim() !== before.title && { title: title.trim() || null }),
    ...(expiresAt !== before.expiresAt && { expiresAt: at === null ? null : new Date(at).toISOString() }),
  };
}
