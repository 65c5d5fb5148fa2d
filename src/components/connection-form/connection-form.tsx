import { readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { t } from '../../format/i18n.ts';
import type { Queue } from '../../queue/types.ts';
import type { FieldHint } from '../text-field.tsx';
import { AddressField, KeyField, NameField, ServerFields } from './connection-fields.tsx';
import { type Connecting, isBusy } from './use-connection-form.ts';

interface FormProps {
  connecting: Connecting;
  class: string;
  children: ComponentChildren;
}

function Form({ connecting, class: name, children }: FormProps) {
  return (
    <form
      noValidate
      class={`connection-form ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void connecting.go('save');
      }}
    >
      {children}
    </form>
  );
}

interface NewConnectionFormProps {
  connecting: Connecting;
  /** True if the form has a name field. With several connections, the user needs names to distinguish them. */
  named: boolean;
  /** Buttons beside "Connect". */
  children?: ComponentChildren;
}

/**
 * Form for connecting a server. The user enters the server's address and an API key, or a connection link that
 * contains both.
 */
export function NewConnectionForm({ connecting, named, children }: NewConnectionFormProps) {
  return (
    <Form connecting={connecting} class="">
      <AddressField connecting={connecting} connection={null} />
      <KeyField connecting={connecting} connection={null} />
      <ServerFields connecting={connecting} connection={null} />
      {named && <NameField connecting={connecting} />}
      <p id="data-sent" class="help">
        {t('privacy')}
      </p>
      <div class="actions">
        {/* Uses `aria-disabled`, because a disabled button would lose the focus. */}
        <button
          type="submit"
          class="button is-primary"
          aria-disabled={isBusy(connecting.phase)}
          aria-describedby="data-sent"
        >
          {t('connect')}
        </button>
        {children}
      </div>
    </Form>
  );
}

interface StoredConnectionFormProps {
  connecting: Connecting;
  queue: Queue;
  /** Asks the user again for permission to access the server. */
  allowAccess: () => void;
  /** Buttons below the fields. */
  children: ComponentChildren;
}

/**
 * Form for editing a stored connection. A problem with the connection is shown below the field in which the user can
 * fix it.
 */
export function StoredConnectionForm({ connecting, queue, allowAccess, children }: StoredConnectionFormProps) {
  const { connection, state } = queue;
  const trouble = troubleOf(queue);
  const isChanged = connecting.draft.address !== readableUrl(connection.baseUrl);
  const needsAccess = state.blocked === 'permission' && !isChanged;
  return (
    <Form connecting={connecting} class="is-stored">
      <NameField connecting={connecting} />
      <div>
        <AddressField {...{ connecting, connection }} trouble={isChanged ? null : trouble.address} />
        {needsAccess && (
          <button type="button" class="button is-primary" onClick={allowAccess}>
            {t('allow')}
          </button>
        )}
      </div>
      {/* An imported connection has no key yet, so the privacy note appears before the user enters one. */}
      {state.blocked === 'key_missing' && <p class="help">{t('privacy')}</p>}
      <ServerFields connecting={connecting} connection={connection} />
      <KeyField {...{ connecting, connection }} trouble={trouble.key}>
        <button
          type="submit"
          class={`button ${needsAccess ? '' : 'is-primary'}`}
          aria-disabled={isBusy(connecting.phase)}
        >
          {t('save')}
        </button>
      </KeyField>
      <div class="actions">{children}</div>
    </Form>
  );
}

/**
 * Returns the connection's problem, as a message for the field in which the user can fix it. Rate limits, a busy server
 * and a pause by the user do not count as problems.
 */
function troubleOf({ connection: { lastFour }, state }: Queue): Record<'address' | 'key', FieldHint | null> {
  const problem = (text: string): FieldHint => ({ text, class: 'problem' });
  const atKey = (text: string) => ({ address: null, key: problem(text) });
  const atAddress = (text: string) => ({ address: problem(text), key: null });
  switch (state.blocked) {
    case 'unauthorized':
      return atKey(lastFour ? t('keyRefusedNamed', lastFour) : t('keyRefusedHelp'));
    case 'forbidden':
      return atKey(t('refusal_key_forbidden'));
    case 'key_missing':
      return atKey(t('keyMissingHelp'));
    case 'permission':
      return atAddress(t('accessMissingHelp'));
    case 'not_a_service':
      return atAddress(t('notAServiceHelp'));
    case 'redirected':
      return atAddress(t('test_redirected'));
    case null: {
      // Terse tries again automatically.
      const isUnreachable = state.wait?.reason === 'unreachable';
      return {
        address: isUnreachable ? { text: t('notReachableHelp'), class: 'problem is-warning' } : null,
        key: null,
      };
    }
  }
}
