import type { Connection } from '@terse/contract';
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
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
  // The button that was pressed is not disabled outright: it would lose the focus.
  const busy = phase.kind === 'looking';
  const address = useRef<HTMLInputElement>(null);

  const forget = async () => {
    // Its button is gone then: what comes next is another address.
    if (await connecting.forget()) address.current?.focus();
  };

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
        <AddressField connecting={connecting} input={address} />
        <KeyField connecting={connecting} lastFour={connection?.lastFour ?? null} />
        <div class="actions">
          <button type="submit" class="button is-primary" aria-disabled={busy}>
            {t(connection ? 'save' : 'connect')}
          </button>
          <button type="button" class="button" aria-disabled={busy} onClick={() => void go('test')}>
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
          confirm={() => void forget()}
          close={() => setForgetting(false)}
        />
      )}
    </section>
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
