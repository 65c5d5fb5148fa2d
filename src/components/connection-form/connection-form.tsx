import { readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { joinSentences, type MessageKey, t } from '../../format/i18n.ts';
import { MAX_OWN_LIMIT } from '../../queue/limits.ts';
import type { BlockReason, Connection, Queue } from '../../queue/types.ts';
import { KIND_NAMES, SERVICE_KINDS, type ServiceKind } from '../../servers/adapter.ts';
import { capabilitiesOf, kindOf } from '../../servers/capabilities.ts';
import { useAutofocus } from '../focus.ts';
import { type FindingProps, Notice } from '../notice.tsx';
import { type FieldHint, help, mistake, TextField } from '../text-field.tsx';
import type { Draft } from './connection-draft.ts';
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
  const { draft, problem, enter, save } = form;
  const connection = queue?.connection ?? null;
  const trouble = queue && troubleOf(queue);
  const isKeyInTrouble = trouble?.field === 'apiKey';
  const isKept = connection !== null && !isKeyInTrouble;
  const isChanged = { address: draft.address !== readableUrl(connection?.baseUrl ?? ''), apiKey: draft.apiKey !== '' };
  const needsAccess = queue?.state.blocked === 'permission' && !isChanged.address;
  // An imported connection has no key yet, so the user has not seen the privacy note.
  const isNewServer = queue === null || queue.state.blocked === 'key_missing';
  const kind = knownKind(draft.kind, connection);
  const addressInput = useAutofocus<HTMLInputElement>('', connection === null);
  const keyInput = useAutofocus<HTMLInputElement>('', isKeyInTrouble);
  /** Returns the message below a field, which is about the user's input or about the stored connection. */
  const hintOf = (field: 'address' | 'apiKey', otherwise: string): FieldHint => {
    if (problem?.field === field) return mistake(t(problem.message));
    return trouble?.field === field && !isChanged[field] ? trouble.hint : help(otherwise);
  };
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
        <TextField
          id="address"
          label={t(connection ? 'serviceAddress' : 'connectionLinkOrAddress')}
          value={draft.address}
          enter={(address) => enter({ address })}
          hint={hintOf('address', '')}
          input={addressInput}
          attributes={{ type: 'url', inputMode: 'url', dir: 'ltr', placeholder: 'https://' }}
        />
        {needsAccess && (
          <button type="button" class="button is-primary" onClick={allowAccess}>
            {t('allow')}
          </button>
        )}
      </div>
      <TextField
        id="key"
        label={t(kind === 'yourls' ? 'signatureToken' : 'apiKey')}
        value={draft.apiKey}
        enter={(apiKey) => enter({ apiKey })}
        hint={hintOf('apiKey', isKept && !isChanged.apiKey ? t('keyKeptHelp') : keyHelp(kind, connection === null))}
        input={keyInput}
        attributes={{
          type: 'password',
          placeholder: isKept ? `•••• ${connection.lastFour}` : connection ? t('keyPaste') : '',
          ...(isKept && { dir: 'ltr' }),
        }}
      />
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

/** Problem with a stored connection, and the field in which the user can fix it. */
interface Trouble {
  field: 'address' | 'apiKey';
  hint: FieldHint;
}

/** Messages about blocks, and the field in which the user can fix each. */
const TROUBLES: Record<BlockReason, [Trouble['field'], MessageKey]> = {
  unauthorized: ['apiKey', 'keyRefusedHelp'],
  forbidden: ['apiKey', 'refusal_key_forbidden'],
  key_missing: ['apiKey', 'keyMissingHelp'],
  permission: ['address', 'accessMissingHelp'],
  not_a_service: ['address', 'notAServiceHelp'],
  redirected: ['address', 'test_redirected'],
};

/**
 * Returns the connection's problem, as a message for the field in which the user can fix it. Rate limits, a busy server
 * and a pause by the user do not count as problems.
 */
function troubleOf({ connection: { lastFour }, state: { blocked, wait } }: Queue): Trouble | null {
  if (blocked) {
    const [field, message] = TROUBLES[blocked];
    const text = blocked === 'unauthorized' && lastFour ? t('keyRefusedNamed', lastFour) : t(message);
    return { field, hint: { text, class: 'problem' } };
  }
  if (wait?.reason !== 'unreachable') return null;
  // Terse tries again automatically.
  return { field: 'address', hint: { text: t('notReachableHelp'), class: 'problem is-warning' } };
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

interface ServerFieldsProps {
  form: ConnectionForm;
  /** Null in the form for a new connection. */
  connection: Connection | null;
}

const LIMITS = ['perSecond', 'perDay'] as const;

/**
 * Fields for the kind of server, the domain of new links, and the limits that the user sets. The domain and the
 * limits appear only for kinds of servers that need them.
 */
export function ServerFields({ form: { draft, problem, enter }, connection }: ServerFieldsProps) {
  const kind = knownKind(draft.kind, connection);
  const can = kind && capabilitiesOf({ kind, service: connection?.service ?? null });
  const hintOf = (field: keyof Draft) => (problem?.field === field ? mistake(t(problem.message)) : undefined);
  const limitsHint = hintOf('perSecond') ?? hintOf('perDay') ?? help(t('limitsHelp'));
  const detected = connection && !connection.isKindChosen ? t('kindFoundAs', kindName(kindOf(connection))) : null;
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
          <option value="">{detected ?? t('kindFound')}</option>
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
          hint={hintOf('domain') ?? help(t('serverDomainHelp'))}
          attributes={{ dir: 'ltr' }}
        />
      )}
      {can?.ownApi === false && (
        <div class="field limit-fields">
          <div class="field-row">
            {LIMITS.map((field) => (
              <TextField
                key={field}
                id={`limit-${field}`}
                label={t(`limit_${field}`)}
                value={draft[field]}
                enter={(limit) => enter({ [field]: limit })}
                attributes={{
                  ...{ type: 'number', inputMode: 'decimal', min: 0, max: MAX_OWN_LIMIT, step: 'any' },
                  'aria-invalid': problem?.field === field,
                  'aria-describedby': 'limits-help',
                }}
              />
            ))}
          </div>
          <p id="limits-help" class={limitsHint.class} role={limitsHint.role}>
            {limitsHint.text}
          </p>
        </div>
      )}
    </>
  );
}
