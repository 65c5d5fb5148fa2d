import type { Connection } from '@terse/contract';
import { useState } from 'preact/hooks';
import type { ConnectionInfo } from '../queue/types.ts';
import { Confirm } from '../ui/confirm.tsx';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';
import { KeyField } from './key-field.tsx';
import { Outcome } from './outcome.tsx';
import { type Connecting, useConnecting } from './use-connecting.ts';

interface ConnectionSectionProps {
  connection: ConnectionInfo | null;
  offered: Connection | null;
  /** Requests that have not ended: they stay when the connection goes. */
  waiting: number;
  now: number;
  actions: Actions;
}

/** Where the service is and the key to use there. */
export function ConnectionSection({ connection, offered, waiting, now, actions }: ConnectionSectionProps) {
  const connecting = useConnecting(connection, offered, actions);
  const [forgetting, setForgetting] = useState(false);
  const { phase, go } = connecting;
  const busy = phase.kind === 'looking';

  return (
    <section class="card" aria-labelledby="connection-title">
      <div class="card-head">
        <h2 id="connection-title">{t('connection')}</h2>
        {connection && (
          <span class="chip is-good">
            <span class="dot" />
            {t('connected')}
          </span>
        )}
      </div>
      <p class="card-intro">{t(connection ? 'connectionIntro' : 'connectionIntroNone')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void go('connect');
        }}
      >
        <AddressField connecting={connecting} />
        <KeyField connecting={connecting} lastFour={connection?.lastFour ?? null} />
        <div class="actions">
          <button type="submit" class="button is-primary" disabled={busy}>
            {t(connection ? 'save' : 'connect')}
          </button>
          <button type="button" class="button" disabled={busy} onClick={() => void go('test')}>
            {t('testConnection')}
          </button>
          {connection && (
            <button type="button" class="button is-quiet is-danger" disabled={busy} onClick={() => setForgetting(true)}>
              {t('forgetConnection')}
            </button>
          )}
        </div>
      </form>
      <Outcome phase={phase} now={now} />
      {forgetting && (
        <Confirm
          title={t('forgetTitle')}
          text={waiting > 0 ? t('forgetTextWaiting', waiting.toLocaleString()) : t('forgetText')}
          yes={t('forgetConnection')}
          confirm={() => void connecting.forget()}
          close={() => setForgetting(false)}
        />
      )}
    </section>
  );
}

function AddressField({ connecting: { draft, problem, enter } }: { connecting: Connecting }) {
  const wrong = problem?.field === 'address';
  return (
    <div class="field">
      <label for="address">{t('serviceAddress')}</label>
      <input
        id="address"
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
