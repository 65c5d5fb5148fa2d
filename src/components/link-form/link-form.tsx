import { SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { displayText, displayUrl, usualBaseUrl } from '../../format/display-text.ts';
import { t, uiLocale } from '../../format/i18n.ts';
import { linkTitle, NO_OPTIONS } from '../../queue/accept.ts';
import { expiryAt } from '../../queue/sending.ts';
import type { Connection } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { formatTags } from '../../servers/parse-and-format-tags.ts';
import {
  applyUrlDefaults,
  type IsOwnShortUrl,
  pageTarget,
  removeTextFragment,
  withoutTracking,
} from '../../urls/shortenable-url-rules.ts';
import { useAutofocus } from '../focus.ts';
import { Icon } from '../icons.tsx';
import { help, mistake, TextField } from '../text-field.tsx';
import {
  type Draft,
  type DraftedLink,
  type DraftFault,
  draftExpiry,
  EXPIRY_CHOICES,
  type FormDefaults,
  type FormTarget,
  readDraft,
  toField,
} from './link-form-values.ts';

interface LinkFormProps {
  target: FormTarget;
  connection: Connection;
  settings: FormDefaults;
  now: number;
  isOwn: IsOwnShortUrl;
  submitName: string;
  /** Reason why the last submission of the form was refused. Null if it was not refused. */
  problem: string | null;
  /** Resolves once the background worker has replied. */
  shorten: (what: DraftedLink) => Promise<void>;
  close: () => void;
}

/** Form for a new link with all its options. The fields scroll above the submit button, which is always visible. */
export function LinkForm(props: LinkFormProps) {
  const { target, connection, settings, now, isOwn, submitName, problem, shorten, close } = props;
  const { url, title, options = NO_OPTIONS } = target;
  const expiresAt = options.expiresAt === null ? '' : toField(Date.parse(options.expiresAt));
  const [draft, setDraft] = useState<Draft>({
    code: options.shortCode ?? '',
    title: linkTitle(options.title ?? title),
    tags: formatTags(options.tags),
    expiry: expiresAt === '' ? settings.expiry : 'own',
    expiresAt,
    removeTracking: settings.removeTracking,
    dropTextFragment: settings.dropTextFragment,
  });
  const [refused, setRefused] = useState<{ fault: DraftFault } | null>(null);
  const fault = refused?.fault;
  const [isAsking, setAsking] = useState(false);
  /** True if the user has changed something since the last submission. */
  const [isChanged, setChanged] = useState(false);
  // An expiry such as "in one week" starts here, so that sending the same values again asks for the same link.
  const [openedAt] = useState(Date.now);
  const can = capabilitiesOf(connection);
  const hasOptions = can.ownCode !== null || can.title || can.expiry;
  const codeInput = useAutofocus<HTMLInputElement>(url, hasOptions);
  const submitButton = useAutofocus<HTMLButtonElement>(url, !hasOptions);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  const change = (some: Partial<Draft>) => {
    setDraft({ ...draft, ...some });
    setRefused(null);
    setChanged(true);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isAsking) return;
    const read = readDraft(draft, openedAt, can);
    if ('fault' in read) return setRefused(read);
    const clean = pageTarget(applyUrlDefaults(url, draft), isOwn);
    const what = 'url' in clean ? clean : { url, userInfoRemoved: false };
    setAsking(true);
    await shorten({ ...what, title, options: read.options });
    setAsking(false);
    setChanged(false);
  };

  return (
    <form ref={form} class="link-form" noValidate aria-labelledby="form-title" onSubmit={submit}>
      <div class="form-head">
        <h2 id="form-title" class="stage-title">
          {t('customize')}
        </h2>
        <button type="button" class="button is-quiet" onClick={close}>
          {t('close')}
          <Icon name="earlier" />
        </button>
      </div>
      <div class="form-fields">
        <UrlField url={url} draft={draft} set={change} />
        {hasOptions ? (
          <>
            {can.title && (
              <TextField
                id="link-title"
                label={t('linkTitle')}
                value={draft.title}
                enter={(title) => change({ title })}
                attributes={{ dir: 'auto', spellcheck: true }}
              />
            )}
            {can.ownCode && (
              <CodeField
                connection={connection}
                pattern={can.ownCode}
                code={draft.code}
                faulty={fault === 'code'}
                input={codeInput}
                set={(code) => change({ code })}
              />
            )}
            {can.tags && (
              <TextField
                id="link-tags"
                label={t('tags')}
                value={draft.tags}
                enter={(tags) => change({ tags })}
                hint={fault === 'tags' ? mistake(t('tagsMalformed')) : help(t('tagsHelp'))}
                attributes={{ dir: 'auto' }}
              />
            )}
            {can.expiry && <ExpiryField draft={draft} faulty={fault === 'expiresAt'} now={now} set={change} />}
          </>
        ) : (
          <p class="help">{t('refusal_options_not_supported')}</p>
        )}
      </div>
      <div class="form-foot">
        <p class="problem" role="alert">
          {!isChanged && problem}
        </p>
        <button
          ref={submitButton}
          type="submit"
          class="button is-primary is-large"
          aria-busy={isAsking}
          aria-disabled={isAsking}
        >
          {submitName}
        </button>
      </div>
    </form>
  );
}

interface UrlFieldProps {
  /** URL of the page or link, unchanged. */
  url: string;
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}

/** Shows the URL that will be sent, and the options for cleaning it up. */
function UrlField({ url, draft, set }: UrlFieldProps) {
  const cleanups = [
    { name: 'removeTracking', applies: withoutTracking(url).removed.length > 0 },
    { name: 'dropTextFragment', applies: removeTextFragment(url) !== null },
  ] as const;
  return (
    <div class="field">
      <h3>{t('longUrl')}</h3>
      <p class="form-address">
        <bdi dir="ltr">{displayText(applyUrlDefaults(url, draft))}</bdi>
      </p>
      {cleanups.map(
        ({ name, applies }) =>
          applies && (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={draft[name]}
                onClick={(event) => set({ [name]: event.currentTarget.checked })}
              />
              <span>{t(name)}</span>
            </label>
          ),
      )}
    </div>
  );
}

interface CodeFieldProps {
  connection: Connection;
  pattern: RegExp;
  code: string;
  faulty: boolean;
  input: RefObject<HTMLInputElement | null>;
  set: (code: string) => void;
}

/** Field for a chosen short code, after the address of short URLs. */
function CodeField({ connection, pattern, code, faulty, input, set }: CodeFieldProps) {
  const { host, rest } = displayUrl(usualBaseUrl(connection));
  return (
    <div class="field">
      <div class="field-head">
        <label for="link-code">{t('shortCode')}</label>
        {code.trim() === '' && (
          <span id="link-code-hint" class="help">
            {t('shortCodeHelp')}
          </span>
        )}
      </div>
      <div class="input code-input" dir="ltr">
        <span aria-hidden="true">
          {host}
          {rest}/
        </span>
        <input
          ref={input}
          id="link-code"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={code}
          aria-invalid={faulty}
          aria-describedby="link-code-hint link-code-help"
          onInput={(event) => set(event.currentTarget.value)}
        />
      </div>
      <p id="link-code-help" class="problem">
        {faulty && t(pattern.source === SHORT_CODE_PATTERN.source ? 'shortCodeMalformed' : 'shortCodeRefused')}
      </p>
    </div>
  );
}

interface ExpiryFieldProps extends Omit<UrlFieldProps, 'url'> {
  faulty: boolean;
  now: number;
}

/** Field for a link's expiry: a duration from now, or a date and time in the user's time zone. */
function ExpiryField({ draft, faulty, now, set }: ExpiryFieldProps) {
  const at = draftExpiry(draft, now);
  const choose = (chosen: string) => {
    const expiry = EXPIRY_CHOICES.find((one) => one === chosen) ?? 'never';
    const own = draft.expiresAt || toField(expiryAt('day', now) ?? now);
    set({ expiry, expiresAt: expiry === 'own' ? own : draft.expiresAt });
  };
  return (
    <div class="field">
      <label for="link-expiry">{t('expiry')}</label>
      <select
        id="link-expiry"
        class="input"
        value={draft.expiry}
        aria-describedby="link-expiry-help"
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {EXPIRY_CHOICES.map((expiry) => (
          <option key={expiry} value={expiry}>
            {t(`expiry_${expiry}`)}
          </option>
        ))}
      </select>
      {draft.expiry === 'own' && (
        <input
          class="input"
          type="datetime-local"
          aria-label={t('expiryMoment')}
          aria-invalid={faulty}
          aria-describedby="link-expiry-help"
          min={toField(now)}
          value={draft.expiresAt}
          onInput={(event) => set({ expiresAt: event.currentTarget.value })}
        />
      )}
      <p id="link-expiry-help" class={faulty ? 'problem' : 'help'}>
        {faulty
          ? t('expiryPast')
          : at !== null &&
            t('expiresOn', new Date(at).toLocaleString(uiLocale(), { dateStyle: 'medium', timeStyle: 'short' }))}
      </p>
    </div>
  );
}
