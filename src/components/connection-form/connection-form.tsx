import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { joinSentences, t } from '../../format/i18n.ts';
import type { Connection } from '../../queue/types.ts';
import type { ServiceKind } from '../../services/service-adapter.ts';
import { ServerFields } from './server-fields.tsx';
import { knownKind } from './server-settings.ts';
import { type Connecting, isBusy } from './use-connection-form.ts';

interface KeyFieldProps {
  connecting: Connecting;
  /** Last four characters of the stored key. The rest of the key is never shown. */
  lastFour: string | null;
  /** Kind of the server. Null or absent if it is not known. */
  kind?: ServiceKind | null;
}

/** Field for a new API key. The stored key is never shown in it. */
export function KeyField({ connecting: { draft, problem, enter }, lastFour, kind = null }: KeyFieldProps) {
  const wrong = problem?.field === 'key';
  const kept = lastFour !== null && draft.apiKey === null && !wrong;
  const input = useRef<HTMLInputElement>(null);
  const replacing = useRef(false);
  useEffect(() => {
    if (!kept && replacing.current) input.current?.focus();
    replacing.current = false;
  }, [kept]);

  return (
    <div class="field">
      <label for="key">{t(kind === 'yourls' ? 'signatureToken' : 'apiKey')}</label>
      <div class="field-row">
        <input
          id="key"
          ref={input}
          class="input"
          type="password"
          autocomplete="off"
          spellcheck={false}
          dir="ltr"
          disabled={kept}
          placeholder={lastFour === null ? '' : `•••• ${lastFour}`}
          value={draft.apiKey ?? ''}
          aria-invalid={wrong}
          aria-describedby="key-help"
          onInput={(event) => enter({ apiKey: event.currentTarget.value })}
        />
        {kept && (
          <button
            type="button"
            class="button"
            onClick={() => {
              replacing.current = true;
              enter({ apiKey: '' });
            }}
          >
            {t('replaceKey')}
          </button>
        )}
      </div>
      <p id="key-help" class={wrong ? 'problem' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ? t(`key_${problem.code}`) : kept ? t('keyKeptHelp') : keyHelp(kind)}
      </p>
    </div>
  );
}

/** Says where the key is found, which differs between kinds of servers. */
function keyHelp(kind: ServiceKind | null): string {
  if (kind === null || kind === 'terse' || kind === 'specification') return t('keyHelp');
  return joinSentences(t(`keyHelp_${kind}`), t('keyStays'));
}

interface ConnectionFormProps {
  connecting: Connecting;
  /** Null in the form for a new connection. */
  connection: Connection | null;
  /** Last four characters of the stored key, or null if no key is stored. */
  lastFour: string | null;
  /** True if the name field is shown: with several connections, names tell them apart. */
  named: boolean;
  /** True if the form has a button that tests the connection without storing it. */
  withTest?: boolean;
  address: RefObject<HTMLInputElement | null>;
  forget: (() => void) | null;
  cancel: (() => void) | null;
}

/** Form for a connection: the server's address, the API key and a name. */
export function ConnectionForm({
  connecting,
  connection,
  lastFour,
  named,
  withTest = true,
  address,
  forget,
  cancel,
}: ConnectionFormProps) {
  // The pressed button is not disabled while it works, because it would lose the focus.
  const busy = isBusy(connecting.phase);
  const stored = lastFour !== null;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void connecting.go('save');
      }}
    >
      <AddressField connecting={connecting} input={address} />
      <KeyField connecting={connecting} lastFour={lastFour} kind={knownKind(connecting.draft, connection)} />
      <ServerFields connecting={connecting} connection={connection} />
      {named && <NameField connecting={connecting} />}
      {!stored && <p id="data-sent">{t('privacy')}</p>}
      <div class="actions">
        <button
          type="submit"
          class="button is-primary"
          aria-disabled={busy}
          aria-describedby={stored ? undefined : 'data-sent'}
        >
          {t(stored ? 'save' : 'connect')}
        </button>
        {withTest && (
          <button type="button" class="button" aria-disabled={busy} onClick={() => void connecting.go('test')}>
            {t('testConnection')}
          </button>
        )}
        {cancel && (
          <button type="button" class="button" onClick={cancel}>
            {t('cancel')}
          </button>
        )}
        {forget && (
          <button type="button" class="button is-danger" disabled={busy} onClick={forget}>
            {t('forgetConnection')}
          </button>
        )}
      </div>
    </form>
  );
}

interface AddressFieldProps {
  connecting: Connecting;
  input: RefObject<HTMLInputElement | null>;
}

function AddressField({ connecting: { draft, problem, enter }, input }: AddressFieldProps) {
  const wrong = problem?.field === 'address';
  return (
    <div class="field">
      <label for="address">{t('serviceAddress')}</label>
      <input
        id="address"
        ref={input}
        class="input"
        type="url"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        dir="ltr"
        placeholder="https://links.example.com"
        value={draft.address}
        aria-invalid={wrong}
        aria-describedby="address-help"
        onInput={(event) => enter({ address: event.currentTarget.value })}
      />
      <p id="address-help" class={wrong ? 'problem' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ? t(`address_${problem.code}`) : t('serviceAddressHelp')}
      </p>
    </div>
  );
}

function NameField({ connecting: { draft, enter } }: { connecting: Connecting }) {
  return (
    <div class="field">
      <label for="connection-name">{t('connectionName')}</label>
      <input
        id="connection-name"
        class="input"
        type="text"
        maxLength={100}
        autocomplete="off"
        value={draft.name}
        aria-describedby="connection-name-help"
        onInput={(event) => enter({ name: event.currentTarget.value })}
      />
      <p id="connection-name-help" class="help">
        {t('connectionNameHelp')}
      </p>
    </div>
  );
}
