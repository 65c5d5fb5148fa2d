import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { joinSentences, t } from '../../format/i18n.ts';
import type { ServiceKind } from '../../services/service-adapter.ts';
import { useAutofocus } from '../hooks/use-autofocus.ts';
import type { ConnectionTrouble } from './connection-trouble.ts';
import type { Connecting } from './use-connection-form.ts';

interface HintProps {
  id: string;
  /** Error message about what the user entered. Screen readers announce it. */
  mistake: string | null;
  trouble: ConnectionTrouble | null;
  help: string;
}

/** Line below a field: the problem with the field or, if there is none, an explanation. */
function Hint({ id, mistake, trouble, help }: HintProps) {
  if (mistake) {
    return (
      <p id={id} class="problem" role="alert">
        {mistake}
      </p>
    );
  }
  return (
    <p id={id} class={trouble ? `problem ${trouble.needsUser ? '' : 'is-warning'}` : 'help'}>
      {trouble?.text ?? help}
    </p>
  );
}

interface AddressFieldProps {
  connecting: Connecting;
  /** True in the form for a new connection, which also accepts a connection link. */
  isNew: boolean;
  /** Problem with the stored connection's address, or null if there is none. */
  trouble: ConnectionTrouble | null;
}

/** Field for the server's address. In the form for a new connection, this field gets the focus. */
export function AddressField({ connecting: { draft, problem, enter }, isNew, trouble }: AddressFieldProps) {
  const input = useAutofocus<HTMLInputElement>('', isNew);
  const isWrong = problem?.field === 'address';
  return (
    <div class="field">
      <label for="address">{t(isNew ? 'connectionLinkOrAddress' : 'serviceAddress')}</label>
      <input
        id="address"
        ref={input}
        class="input"
        type="url"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        dir="ltr"
        placeholder="https://"
        value={draft.address}
        aria-invalid={isWrong}
        aria-describedby="address-help"
        onInput={(event) => enter({ address: event.currentTarget.value })}
      />
      <Hint id="address-help" mistake={isWrong ? t(`address_${problem.code}`) : null} trouble={trouble} help="" />
    </div>
  );
}

interface KeyFieldProps {
  connecting: Connecting;
  /** Last four characters of the stored key. Null in the form for a new connection. */
  lastFour: string | null;
  kind: ServiceKind | null;
  /** Problem that the user can fix by entering a new key. */
  trouble: ConnectionTrouble | null;
  /** Buttons beside the field. */
  children?: ComponentChildren;
}

/**
 * Field for a new API key. It never shows the stored key. If there is a problem with the stored key, the field gets
 * the focus.
 */
export function KeyField({ connecting: { draft, problem, enter }, lastFour, kind, trouble, children }: KeyFieldProps) {
  const isNew = lastFour === null;
  const isWrong = problem?.field === 'key';
  const isKept = !isNew && draft.apiKey === null && !isWrong && trouble === null;
  const input = useAutofocus<HTMLInputElement>('', trouble !== null);
  const isReplacing = useRef(false);
  useEffect(() => {
    if (!isKept && isReplacing.current) input.current?.focus();
    isReplacing.current = false;
  }, [isKept]);

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
          dir={isKept ? 'ltr' : undefined}
          disabled={isKept}
          placeholder={isNew ? '' : isKept ? `•••• ${lastFour}` : t('keyPaste')}
          value={draft.apiKey ?? ''}
          aria-invalid={isWrong}
          aria-describedby="key-help"
          onInput={(event) => enter({ apiKey: event.currentTarget.value })}
        />
        {isKept && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isReplacing.current = true;
              enter({ apiKey: '' });
            }}
          >
            {t('replaceKey')}
          </button>
        )}
        {children}
      </div>
      <Hint
        id="key-help"
        mistake={isWrong ? t(`key_${problem.code}`) : null}
        trouble={draft.apiKey ? null : trouble}
        help={isKept ? t('keyKeptHelp') : keyHelp(kind, isNew)}
      />
    </div>
  );
}

/** Returns the help text of the key field for a kind of server. */
function keyHelp(kind: ServiceKind | null, isNew: boolean): string {
  if (kind === null || kind === 'terse' || kind === 'specification') return t(isNew ? 'keyHelp' : 'keyKeptHelp');
  return joinSentences(t(`keyHelp_${kind}`), t('keyStays'));
}

/** Field for the name that the user gives a connection. If the field is empty, pages show the server's host. */
export function NameField({ connecting: { draft, enter } }: { connecting: Connecting }) {
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
        onInput={(event) => enter({ name: event.currentTarget.value })}
      />
    </div>
  );
}
