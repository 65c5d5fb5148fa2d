import { readableHost } from '@terse/contract/readable-host';
import { t } from '../../format/i18n.ts';
import { MAX_OWN_LIMIT } from '../../queue/limits.ts';
import type { Connection } from '../../queue/types.ts';
import { type Domain, SERVICE_KINDS, type ServiceKind } from '../../servers/adapter.ts';
import { capabilitiesOf, kindOf } from '../../servers/capabilities.ts';
import { help, mistake, TextField } from '../text-field.tsx';
import { type Draft, toKind } from './connection-draft.ts';
import type { Connecting } from './use-connection-form.ts';

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

/**
 * Returns the kind of server that the user chose or, if there is none, the kind of the stored connection. Null if
 * both are missing.
 */
export function knownKind({ kind }: Draft, connection: Connection | null): ServiceKind | null {
  return kind || (connection && kindOf(connection));
}

interface ServerFieldsProps {
  connecting: Connecting;
  /** Null in the form for a new connection. */
  connection: Connection | null;
}

/**
 * Fields for the kind of server, the domain of new links, and the limits that the user sets. The domain and the
 * limits appear only for kinds of servers that need them.
 */
export function ServerFields({ connecting, connection }: ServerFieldsProps) {
  const { draft, enter } = connecting;
  const kind = knownKind(draft, connection);
  const can = kind && capabilitiesOf({ kind, service: connection?.service ?? null });
  return (
    <>
      <div class="field">
        <label for="server-kind">{t('serverKind')}</label>
        <select
          id="server-kind"
          class="input"
          value={draft.kind}
          onChange={(event) => enter({ kind: toKind(event.currentTarget.value) })}
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
        <DomainField connecting={connecting} domains={connection?.service?.domains ?? []} />
      )}
      {can?.limits === 'none' && <LimitFields connecting={connecting} />}
    </>
  );
}

/** Field for the domain of new links. The domains that the server reports are suggestions. */
function DomainField({ connecting, domains }: { connecting: Connecting; domains: Domain[] }) {
  const { draft, problem, enter } = connecting;
  return (
    <TextField
      id="server-domain"
      label={t('serverDomain')}
      value={draft.domain}
      enter={(domain) => enter({ domain })}
      hint={problem?.field === 'domain' ? mistake(t('serverDomainMalformed')) : help(t('serverDomainHelp'))}
      attributes={{ type: 'text', dir: 'ltr', list: 'server-domains' }}
    >
      <datalist id="server-domains">
        {domains.map(({ name }) => (
          <option key={name} value={readableHost(name)} />
        ))}
      </datalist>
    </TextField>
  );
}

function LimitFields({ connecting }: { connecting: Connecting }) {
  const { draft, problem, enter } = connecting;
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
