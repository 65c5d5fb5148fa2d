import { readableHost, readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { joinSentences, type MessageKey, t } from '../../format/i18n.ts';
import { MAX_OWN_LIMIT } from '../../queue/limits.ts';
import type { BlockReason, Connection, Queue } from '../../queue/types.ts';
import { KIND_NAMES, SERVICE_KINDS, type ServiceKind } from '../../servers/adapter.ts';
import { capabilitiesOf, kindOf } from '../../servers/capabilities.ts';
import { useAutofocus } from '../focus.ts';
import { type FindingProps, Notice } from '../notice.tsx';
import { type FieldHint, help, mistake, TextField } from '../text-field.tsx';
import type { ConnectionForm } from './connection-forms-store.ts';

export function kindName(kind: ServiceKind): string {
  return kind === 'specification' ? t('kindSpecification') : KIND_NAMES[kind];
}

interface FormFieldsProps {
  form: ConnectionForm;
  /** Queue of the stored connection. Null in the form for a new connection. */
  queue: Queue | null;
  /** True if the form has a name field. With several connections, the user needs names to distinguish them. */
  named?: boolean;
  /** Asks the user again for permission to access the server. */
  allowAccess?: () => void;
  /** Buttons beside the button that saves the connection. */
  children?: ComponentChildren;
}

/**
 * Form for a new or stored connection. The user enters the server's address and an API key, or a connection link that
 * contains both. A problem with a stored connection is shown below the field in which the user can fix it.
 */
export function ConnectionFields({ form, queue, named = true, allowAccess, children }: FormFieldsProps) {
  const { draft, enter, save } = form;
  const connection = queue?.connection ?? null;
  const isChanged = connection !== null && draft.address !== readableUrl(connection.baseUrl);
  const trouble = queue && troubleOf(queue);
  const needsAccess = queue?.state.blocked === 'permission' && !isChanged;
  // An imported connection has no key yet, so the user has not seen the privacy note.
  const isNewServer = queue === null || queue.state.blocked === 'key_missing';
  return (
    <form
      noValidate
      class={`connection-form ${connection ? 'is-stored' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {named && (
        <TextField
          id="connection-name"
          label={t('connectionName')}
          value={draft.name}
          enter={(name) => enter({ name })}
          attributes={{ maxLength: 100, spellcheck: true }}
        />
      )}
      <div>
        <AddressField {...{ form, connection }} trouble={isChanged ? undefined : trouble?.address} />
        {needsAccess && (
          <button type="button" class="button is-primary" onClick={allowAccess}>
            {t('allow')}
          </button>
        )}
      </div>
      <KeyField {...{ form, connection }} trouble={trouble?.key} />
      <ServerFields {...{ form, connection }} />
      {isNewServer && (
        <p id="data-sent" class="help">
          {t('privacy')}
        </p>
      )}
      <div class="actions">
        {/* Uses `aria-disabled`, because a disabled button would lose the focus. */}
        <button
          type="submit"
          class={`button ${needsAccess ? '' : 'is-primary'}`}
          aria-disabled={form.isSaving}
          aria-describedby={isNewServer ? 'data-sent' : undefined}
        >
          {t(connection ? 'save' : 'connect')}
        </button>
        {children}
      </div>
    </form>
  );
}

/** Shows the results of saving a connection. */
export function SaveResult({ results }: { results: FindingProps[] }) {
  return (
    <div class={`connecting-result ${results.length === 0 ? 'is-empty' : ''}`}>
      {results.map((result) => (
        <Notice key={result.text} {...result} />
      ))}
    </div>
  );
}

/** Messages about blocks, and the field in which the user can fix each. */
const TROUBLES: Record<BlockReason, ['address' | 'key', MessageKey]> = {
  unauthorized: ['key', 'keyRefusedHelp'],
  forbidden: ['key', 'refusal_key_forbidden'],
  key_missing: ['key', 'keyMissingHelp'],
  permission: ['address', 'accessMissingHelp'],
  not_a_service: ['address', 'notAServiceHelp'],
  redirected: ['address', 'test_redirected'],
};

/**
 * Returns the connection's problem, as a message for the field in which the user can fix it. Rate limits, a busy server
 * and a pause by the user do not count as problems.
 */
function troubleOf({ connection: { lastFour }, state: { blocked, wait } }: Queue): {
  address?: FieldHint;
  key?: FieldHint;
} {
  if (blocked !== null) {
    const [field, message] = TROUBLES[blocked];
    const text = blocked === 'unauthorized' && lastFour ? t('keyRefusedNamed', lastFour) : t(message);
    return { [field]: { text, class: 'problem' } };
  }
  // Terse tries again automatically.
  if (wait?.reason === 'unreachable') return { address: { text: t('notReachableHelp'), class: 'problem is-warning' } };
  return {};
}

interface FieldProps {
  form: ConnectionForm;
  /** Null in the form for a new connection. */
  connection: Connection | null;
  /** Message about a problem with the stored connection that the user can fix in this field. */
  trouble?: FieldHint | undefined;
}

/** Field for the server's address. In the form for a new connection, this field gets the focus. */
function AddressField({ form: { draft, problem, enter }, connection, trouble = help('') }: FieldProps) {
  const input = useAutofocus<HTMLInputElement>('', connection === null);
  return (
    <TextField
      id="address"
      label={t(connection ? 'serviceAddress' : 'connectionLinkOrAddress')}
      value={draft.address}
      enter={(address) => enter({ address })}
      hint={problem?.field === 'address' ? mistake(t(`address_${problem.code}`)) : trouble}
      input={input}
      attributes={{ type: 'url', inputMode: 'url', dir: 'ltr', placeholder: 'https://' }}
    />
  );
}

/**
 * Field for the API key. It never shows the stored key: if the field is empty, the stored key is kept. If there is a
 * problem with the stored key, the field gets the focus.
 */
function KeyField({ form: { draft, problem, enter }, connection, trouble }: FieldProps) {
  const kind = knownKind(draft.kind, connection);
  const isKept = connection !== null && !trouble;
  const input = useAutofocus<HTMLInputElement>('', trouble !== undefined);
  const explanation = help(isKept && draft.apiKey === '' ? t('keyKeptHelp') : keyHelp(kind, connection === null));
  const placeholder = connection ? (isKept ? `•••• ${connection.lastFour}` : t('keyPaste')) : '';
  return (
    <TextField
      id="key"
      label={t(kind === 'yourls' ? 'signatureToken' : 'apiKey')}
      value={draft.apiKey}
      enter={(apiKey) => enter({ apiKey })}
      hint={problem?.field === 'key' ? mistake(t(`key_${problem.code}`)) : (!draft.apiKey && trouble) || explanation}
      input={input}
      attributes={{ type: 'password', placeholder, ...(isKept && { dir: 'ltr' }) }}
    />
  );
}

/** Returns the help text of the key field for a kind of server. */
function keyHelp(kind: ServiceKind | null, isNew: boolean): string {
  if (kind === null || kind === 'terse' || kind === 'specification') return t(isNew ? 'keyHelp' : 'keyStays');
  return joinSentences(t(`keyHelp_${kind}`), t('keyStays'));
}

/** Returns the kind that the user chose or else the kind of the stored connection. Null if both are missing. */
function knownKind(chosen: ServiceKind | '', connection: Connection | null): ServiceKind | null {
  return chosen || (connection && kindOf(connection));
}

/**
 * Fields for the kind of server, the domain of new links, and the limits that the user sets. The domain and the
 * limits appear only for kinds of servers that need them.
 */
export function ServerFields({ form, connection }: FieldProps) {
  const { draft, problem, enter } = form;
  const kind = knownKind(draft.kind, connection);
  const can = kind && capabilitiesOf({ kind, service: connection?.service ?? null });
  return (
    <>
      <div class="field">
        <label for="server-kind">{t('serverKind')}</label>
        <select
          id="server-kind"
          class="input"
          value={draft.kind}
          onChange={({ currentTarget: { value } }) => enter({ kind: SERVICE_KINDS.find((one) => one === value) ?? '' })}
        >
          <option value="">
            {connection && !connection.isKindChosen ? t('kindFoundAs', kindName(kindOf(connection))) : t('kindFound')}
          </option>
          {SERVICE_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kindName(kind)}
            </option>
          ))}
        </select>
      </div>
      {(can?.domains || draft.domain !== '') && (
        <TextField
          id="server-domain"
          label={t('serverDomain')}
          value={draft.domain}
          enter={(domain) => enter({ domain })}
          hint={problem?.field === 'domain' ? mistake(t('serverDomainMalformed')) : help(t('serverDomainHelp'))}
          attributes={{ type: 'text', dir: 'ltr', list: 'server-domains' }}
        >
          <datalist id="server-domains">
            {connection?.service?.domains?.map(({ name }) => (
              <option key={name} value={readableHost(name)} />
            ))}
          </datalist>
        </TextField>
      )}
      {can?.ownApi === false && <LimitFields form={form} />}
    </>
  );
}

function LimitFields({ form: { draft, problem, enter } }: { form: ConnectionForm }) {
  const isWrong = problem?.field === 'limits';
  const field = (id: 'perSecond' | 'perDay', step: string) => (
    <TextField
      id={`limit-${id}`}
      label={t(`limit_${id}`)}
      value={draft[id]}
      enter={(limit) => enter({ [id]: limit })}
      attributes={{
        type: 'number',
        inputMode: 'decimal',
        min: step === 'any' ? '0.001' : '1',
        max: MAX_OWN_LIMIT,
        step,
        'aria-invalid': isWrong,
        'aria-describedby': 'limits-help',
      }}
    />
  );
  return (
    <fieldset class="limit-fields" aria-describedby="limits-help">
      <legend class="visually-hidden">{t('limits')}</legend>
      <div class="field-row">
        {field('perSecond', 'any')}
        {field('perDay', '1')}
      </div>
      <p id="limits-help" class={isWrong ? 'problem' : 'help'} role={isWrong ? 'alert' : undefined}>
        {t(isWrong ? 'limitsMalformed' : 'limitsHelp')}
      </p>
    </fieldset>
  );
}
