import { readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { joinSentences, type MessageKey, t } from '../../format/i18n.ts';
import type { BlockReason, Queue } from '../../queue/types.ts';
import { type FindingProps, Notice } from '../notice.tsx';
import type { FieldHint } from '../text-field.tsx';
import { AddressField, KeyField, NameField, ServerFields } from './connection-fields.tsx';
import type { ConnectionForm, Phase } from './connection-forms-store.ts';
import { failureSentence } from './save-connection.ts';

interface FormProps {
  form: ConnectionForm;
  class: string;
  children: ComponentChildren;
}

function Form({ form, class: name, children }: FormProps) {
  return (
    <form
      noValidate
      class={`connection-form ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      {children}
    </form>
  );
}

interface NewConnectionFormProps {
  form: ConnectionForm;
  /** True if the form has a name field. With several connections, the user needs names to distinguish them. */
  named: boolean;
  /** Buttons beside "Connect". */
  children?: ComponentChildren;
}

/**
 * Form for connecting a server. The user enters the server's address and an API key, or a connection link that
 * contains both.
 */
export function NewConnectionForm({ form, named, children }: NewConnectionFormProps) {
  return (
    <Form form={form} class="">
      <AddressField form={form} connection={null} />
      <KeyField form={form} connection={null} />
      <ServerFields form={form} connection={null} />
      {named && <NameField form={form} />}
      <p id="data-sent" class="help">
        {t('privacy')}
      </p>
      <div class="actions">
        {/* Uses `aria-disabled`, because a disabled button would lose the focus. */}
        <button type="submit" class="button is-primary" aria-disabled={form.isSaving} aria-describedby="data-sent">
          {t('connect')}
        </button>
        {children}
      </div>
    </Form>
  );
}

interface StoredConnectionFormProps {
  form: ConnectionForm;
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
export function StoredConnectionForm({ form, queue, allowAccess, children }: StoredConnectionFormProps) {
  const { connection, state } = queue;
  const trouble = troubleOf(queue);
  const isChanged = form.draft.address !== readableUrl(connection.baseUrl);
  const needsAccess = state.blocked === 'permission' && !isChanged;
  return (
    <Form form={form} class="is-stored">
      <NameField form={form} />
      <div>
        <AddressField {...{ form, connection }} trouble={isChanged ? null : trouble.address} />
        {needsAccess && (
          <button type="button" class="button is-primary" onClick={allowAccess}>
            {t('allow')}
          </button>
        )}
      </div>
      {/* An imported connection has no key yet, so the privacy note appears before the user enters one. */}
      {state.blocked === 'key_missing' && <p class="help">{t('privacy')}</p>}
      <ServerFields {...{ form, connection }} />
      <KeyField {...{ form, connection }} trouble={trouble.key}>
        <button type="submit" class={`button ${needsAccess ? '' : 'is-primary'}`} aria-disabled={form.isSaving}>
          {t('save')}
        </button>
      </KeyField>
      <div class="actions">{children}</div>
    </Form>
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
function troubleOf({
  connection: { lastFour },
  state: { blocked, wait },
}: Queue): Record<'address' | 'key', FieldHint | null> {
  const none = { address: null, key: null };
  if (blocked !== null) {
    const [field, message] = TROUBLES[blocked];
    const text = blocked === 'unauthorized' && lastFour ? t('keyRefusedNamed', lastFour) : t(message);
    return { ...none, [field]: { text, class: 'problem' } };
  }
  // Terse tries again automatically.
  if (wait?.reason === 'unreachable')
    return { ...none, address: { text: t('notReachableHelp'), class: 'problem is-warning' } };
  return none;
}

interface SaveResultProps {
  phase: Phase;
  /** True if the user paused the queue. A paused queue sends nothing, even if the server is healthy. */
  paused: boolean;
}

/** Shows the result of saving a connection. */
export function SaveResult({ phase, paused }: SaveResultProps) {
  const results = resultsOf(phase, paused);
  return (
    <div class={`connecting-result ${results.length === 0 ? 'is-empty' : ''}`}>
      {results.map((result) => (
        <Notice key={result.text} {...result} />
      ))}
    </div>
  );
}

/** Returns the result of saving a connection, for screen readers. Empty if nothing was saved since the last change. */
export function saveResultText(phase: Phase, paused: boolean): string {
  return joinSentences(...resultsOf(phase, paused).map(({ text }) => text));
}

function resultsOf(phase: Phase, paused: boolean): FindingProps[] {
  if (phase.kind === 'saving') return [{ icon: 'clock', tone: 'is-busy', text: t('testing') }];
  if (phase.kind === 'failed') return [{ icon: 'warning', tone: 'is-danger', text: failureSentence(phase.code) }];
  if (phase.kind !== 'saved') return [];
  const { report } = phase;
  const pausedText = joinSentences(t('saved'), t('pausedByUser'));
  if (!report.reached) {
    return [
      { icon: 'clock', tone: '', text: paused ? pausedText : t('savedUnseen') },
      { icon: 'warning', tone: 'is-danger', text: t(`test_${report.problem}`) },
    ];
  }
  if (paused) return [{ icon: 'clock', tone: '', text: pausedText }];
  // Without a service document, the server cannot be distinguished from any other website.
  if (report.service === null) return [{ icon: 'globe', tone: '', text: joinSentences(t('saved'), t('testUnsure')) }];
  return [{ icon: 'check', tone: 'is-good', text: t('connectedNow') }];
}
