import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { joinSentences, t } from '../../format/i18n.ts';
import type { ServiceKind } from '../../servers/adapter.ts';
import { useAutofocus } from '../hooks/use-autofocus.ts';
import { type FieldHint, help, mistake, TextField } from '../text-field.tsx';
import type { ConnectionTrouble } from './connection-trouble.ts';
import type { Connecting } from './use-connection-form.ts';

/** Returns the hint about a problem with the stored connection or, if there is none, the help text. */
function hintOf(trouble: ConnectionTrouble | null, explanation: string): FieldHint {
  if (!trouble) return help(explanation);
  return { text: trouble.text, class: trouble.needsUser ? 'problem' : 'problem is-warning' };
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
  return (
    <TextField
      id="address"
      label={t(isNew ? 'connectionLinkOrAddress' : 'serviceAddress')}
      value={draft.address}
      enter={(address) => enter({ address })}
      hint={problem?.field === 'address' ? mistake(t(`address_${problem.code}`)) : hintOf(trouble, '')}
      input={input}
      attributes={{ type: 'url', inputMode: 'url', dir: 'ltr', placeholder: 'https://' }}
    />
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
  const explanation = isKept ? t('keyKeptHelp') : keyHelp(kind, isNew);
  const placeholder = isNew ? '' : isKept ? `•••• ${lastFour}` : t('keyPaste');
  return (
    <TextField
      id="key"
      label={t(kind === 'yourls' ? 'signatureToken' : 'apiKey')}
      value={draft.apiKey ?? ''}
      enter={(apiKey) => enter({ apiKey })}
      hint={isWrong ? mistake(t(`key_${problem.code}`)) : hintOf(draft.apiKey ? null : trouble, explanation)}
      input={input}
      attributes={{ type: 'password', disabled: isKept, placeholder, ...(isKept && { dir: 'ltr' }) }}
    >
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
    </TextField>
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
    <TextField
      id="connection-name"
      label={t('connectionName')}
      value={draft.name}
      enter={(name) => enter({ name })}
      attributes={{ maxLength: 100, spellcheck: true }}
    />
  );
}
