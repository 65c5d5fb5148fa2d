import { useState } from 'preact/hooks';
import { formatNumber, t } from '../../format/i18n.ts';
import { formatDateTime } from '../../format/relative-time.ts';
import { NO_OPTIONS } from '../../queue/add-replace-delete-connection.ts';
import { isUnlimited } from '../../queue/limits/own-limits.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { Connection } from '../../queue/types.ts';
import { capabilitiesOf, takesOptions } from '../../services/known-service.ts';
import { type IsOwnShortUrl, pageTarget } from '../../urls/shortenable-url.ts';
import { busyButtonProps } from '../busy-button.ts';
import { useAutofocus } from '../hooks/use-autofocus.ts';
import { ExpiryField } from './expiry-field.tsx';
import {
  type Draft,
  type DraftedLink,
  type DraftFault,
  type FormDefaults,
  type FormTarget,
  readDraft,
  shortTitle,
  toField,
} from './link-form-values.ts';
import { CodeField } from './short-code-field.tsx';
import { type AddressChoice, AddressFields, chosenAddress } from './url-cleanup-field.tsx';

export interface LinkFormProps {
  target: FormTarget;
  connection: Connection;
  quota: QuotaLeft;
  settings: FormDefaults;
  now: number;
  isOwn: IsOwnShortUrl;
  /** Resolves once the background has replied. */
  shorten: (what: DraftedLink) => Promise<void>;
  close: () => void;
}

/** Form for a new link with all its options. Nothing is sent until the user submits it. */
export function LinkForm({ target, connection, quota, settings, now, isOwn, shorten, close }: LinkFormProps) {
  const { url, title, options = NO_OPTIONS } = target;
  const expiresAt = options.expiresAt === null ? '' : toField(Date.parse(options.expiresAt));
  const [draft, setDraft] = useState<Draft>({
    code: options.shortCode ?? '',
    title: shortTitle(options.title ?? title),
    expiry: expiresAt === '' ? settings.expiry : 'own',
    expiresAt,
  });
  const { removeTracking, dropTextFragment } = settings;
  const [choice, setChoice] = useState<AddressChoice>({ canonical: null, removeTracking, dropTextFragment });
  const [fault, setFault] = useState<DraftFault | null>(null);
  const [isAsking, setAsking] = useState(false);
  const can = capabilitiesOf(connection);
  const hasOptions = takesOptions(connection);
  const codeInput = useAutofocus<HTMLInputElement>(url, hasOptions);
  const submitButton = useAutofocus<HTMLButtonElement>(url, !hasOptions);
  const change = (some: Partial<Draft>) => {
    setDraft({ ...draft, ...some });
    setFault(null);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isAsking) return;
    const read = readDraft(draft, Date.now(), can);
    if ('fault' in read) return setFault(read.fault);
    const clean = pageTarget(chosenAddress(url, choice), isOwn);
    const what = 'url' in clean ? clean : { url, userInfoRemoved: false };
    setAsking(true);
    await shorten({ ...what, title, options: read.options });
    setAsking(false);
  };

  return (
    <form class="state link-form" noValidate aria-label={t('linkForm')} onSubmit={submit}>
      <AddressFields url={url} tabId={target.tabId} choice={choice} isOwn={isOwn} choose={setChoice} />
      {hasOptions ? (
        <>
          {can.ownCode && (
            <CodeField
              connection={connection}
              rules={can.ownCode}
              code={draft.code}
              faulty={fault === 'code'}
              input={codeInput}
              set={(code) => change({ code })}
            />
          )}
          {can.title && (
            <div class="field">
              <label for="link-title">{t('linkTitle')}</label>
              <input
                id="link-title"
                class="input"
                dir="auto"
                autocomplete="off"
                value={draft.title}
                onInput={(event) => change({ title: event.currentTarget.value })}
              />
            </div>
          )}
          {can.expiry && <ExpiryField draft={draft} faulty={fault === 'expiresAt'} now={now} set={change} />}
        </>
      ) : (
        <p class="help">{t('refusal_options_not_supported')}</p>
      )}
      <div class="actions">
        <button ref={submitButton} type="submit" class="button is-primary is-wide" {...busyButtonProps(isAsking)}>
          {t('shorten')}
        </button>
        <button type="button" class="button is-quiet" onClick={close}>
          {t('cancel')}
        </button>
      </div>
      <p class="state-note">{cost(quota, now)}</p>
    </form>
  );
}

/** Returns the text that says what the link uses of the quota. */
function cost({ left, limit, moreAt }: QuotaLeft, now: number): string {
  if (isUnlimited(limit)) return '';
  if (left > 0) return t('costsOne', formatNumber(left));
  return t('costsLater', formatDateTime(moreAt ?? now, now));
}
