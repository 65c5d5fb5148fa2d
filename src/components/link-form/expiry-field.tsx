import { t, uiLocale } from '../../format/i18n.ts';
import { expiryAt } from '../../queue/default-expiry.ts';
import { type Draft, draftExpiry, EXPIRY_CHOICES, toField } from './link-form-values.ts';

interface ExpiryFieldProps {
  draft: Draft;
  faulty: boolean;
  now: number;
  set: (change: Partial<Draft>) => void;
}

/** Field for a link's expiry: a duration from now, or a date and time in the user's time zone. */
export function ExpiryField({ draft, faulty, now, set }: ExpiryFieldProps) {
  const at = draftExpiry(draft, now);
  const choose = (chosen: string) => {
    const expiry = EXPIRY_CHOICES.find((one) => one === chosen) ?? 'never';
    const own = draft.expiresAt || toField(expiryAt('day', now) ?? now);
    set({ expiry, expiresAt: expiry === 'own' ? own : draft.expiresAt });
  };
  return (
    <div class="field">
      <label for="link-expiry">{t('expiry')}</label>
      <select
        id="link-expiry"
        class="input"
        value={draft.expiry}
        aria-describedby="link-expiry-help"
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {EXPIRY_CHOICES.map((expiry) => (
          <option key={expiry} value={expiry}>
            {t(`expiry_${expiry}`)}
          </option>
        ))}
      </select>
      {draft.expiry === 'own' && (
        <input
          class="input"
          type="datetime-local"
          aria-label={t('expiryMoment')}
          aria-invalid={faulty}
          aria-describedby="link-expiry-help"
          min={toField(now)}
          value={draft.expiresAt}
          onInput={(event) => set({ expiresAt: event.currentTarget.value })}
        />
      )}
      <p id="link-expiry-help" class={faulty ? 'problem' : 'help'}>
        {faulty ? t('expiryPast') : at !== null && t('expiresOn', moment(at))}
      </p>
    </div>
  );
}

/** Formats a date and time, including the name of the time zone. */
function moment(at: number): string {
  // `Intl` time styles that include the time zone also show seconds, so the parts are listed individually here.
  return new Intl.DateTimeFormat(uiLocale(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}
