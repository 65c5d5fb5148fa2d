import { readableHost } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { joinSentences, t } from '../../format/i18n.ts';
import { MAX_OWN_LIMIT } from '../../queue/limits.ts';
import type { Connection } from '../../queue/types.ts';
import { SERVICE_KINDS, type ServiceKind } from '../../servers/adapter.ts';
import { capabilitiesOf, kindOf } from '../../servers/capabilities.ts';
import { useAutofocus } from '../focus.ts';
import { type FieldHint, help, mistake, TextField } from '../text-field.tsx';
import type { ConnectionForm } from './connection-forms-store.ts';

/** Product names, which are the same in all languages. */
const NAMES: Record<Exclude<ServiceKind, 'specification'>, string> = {
  terse: 'Terse',
  kutt: 'Kutt',
  yourls: 'YOURLS',
  sink: 'Sink',
  shlink: 'Shlink',
  chhoto: 'chhoto-url',
};

export function kindName(kind: ServiceKind): string {
  return kind === 'specification' ? t('kindSpecification') : NAMES[kind];
}

interface FieldProps {
  form: ConnectionForm;
  /** Null in the form for a new connection. */
  connection: Connection | null;
  /** Message about a problem with the stored connection that the user can fix in this field. */
  trouble?: FieldHint | null;
}

/**
 * Field for the server's address. In the form for a new connection, this field gets the focus and also accepts a
 * connection link.
 */
export function AddressField({ form: { draft, problem, enter }, connection, trouble }: FieldProps) {
  const input = useAutofocus<HTMLInputElement>('', connection === null);
  return (
    <TextField
      id="address"
      label={t(connection ? 'serviceAddress' : 'connectionLinkOrAddress')}
      value={draft.address}
      enter={(address) => enter({ address })}
      hint={problem?.field === 'address' ? mistake(t(`address_${problem.code}`)) : (trouble ?? help(''))}
      input={input}
      attributes={{ type: 'url', inputMode: 'url', dir: 'ltr', placeholder: 'https://' }}
    />
  );
}

/**
 * Field for the API key. It never shows the stored key: if the field is empty, the stored key is kept. If there is a
 * problem with the stored key, the field gets the focus.
 */
export function KeyField({
  form: { draft, problem, enter },
  connection,
  trouble = null,
  children,
}: FieldProps & { children?: ComponentChildren }) {
  const kind = knownKind(draft.kind, connection);
  const isKept = connection !== null && trouble === null;
  const input = useAutofocus<HTMLInputElement>('', trouble !== null);
  const isWrong = problem?.field === 'key';
  const explanation = help(isKept && draft.apiKey === '' ? t('keyKeptHelp') : keyHelp(kind, connection === null));
  const placeholder = connection ? (isKept ? `•••• ${connection.lastFour}` : t('keyPaste')) : '';
  return (
    <TextField
      id="key"
      label={t(kind === 'yourls' ? 'signatureToken' : 'apiKey')}
      value={draft.apiKey}
      enter={(apiKey) => enter({ apiKey })}
      hint={isWrong ? mistake(t(`key_${problem.code}`)) : (!draft.apiKey && trouble) || explanation}
      input={input}
      attributes={{ type: 'password', placeholder, ...(isKept && { dir: 'ltr' }) }}
    >
      {children}
    </TextField>
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

/** Field for the name that the user gives a connection. If the field is empty, pages show the server's host. */
export function NameField({ form: { draft, enter } }: Pick<FieldProps, 'form'>) {
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
      {can?.limits === 'none' && <LimitFields form={form} />}
    </>
  );
}

function LimitFields({ form: { draft, problem, enter } }: Pick<FieldProps, 'form'>) {
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
