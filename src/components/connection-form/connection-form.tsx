import { readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { t } from '../../format/i18n.ts';
import type { Queue } from '../../queue/types.ts';
import { AddressField, KeyField, NameField } from './connection-fields.tsx';
import { connectionTrouble } from './connection-trouble.ts';
import { knownKind, ServerFields } from './server-fields.tsx';
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
      <AddressField connecting={connecting} isNew trouble={null} />
      <KeyField connecting={connecting} lastFour={null} kind={knownKind(connecting.draft, null)} trouble={null} />
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
  const trouble = connectionTrouble(queue);
  const troubleOf = (field: 'address' | 'key') => (trouble?.field === field ? trouble : null);
  const isChanged = connecting.draft.address !== readableUrl(connection.baseUrl);
  const needsAccess = state.blocked === 'permission' && !isChanged;
  return (
    <Form connecting={connecting} class="is-stored">
      <NameField connecting={connecting} />
      <div>
        <AddressField connecting={connecting} isNew={false} trouble={isChanged ? null : troubleOf('address')} />
        {needsAccess && (
          <button type="button" class="button is-primary" onClick={allowAccess}>
            {t('allow')}
          </button>
        )}
      </div>
      {/* An imported connection has no key yet, so the privacy note appears before the user enters one. */}
      {state.blocked === 'key_missing' && <p class="help">{t('privacy')}</p>}
      <ServerFields connecting={connecting} connection={connection} />
      <KeyField
        connecting={connecting}
        lastFour={connection.lastFour}
        kind={knownKind(connecting.draft, connection)}
        trouble={troubleOf('key')}
      >
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
