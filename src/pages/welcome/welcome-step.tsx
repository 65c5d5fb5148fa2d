import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icons.tsx';
import { formatNumber, t } from '../../format/i18n.ts';

interface StepProps {
  /** Number of the step, starting at 1. */
  at: number;
  title: string;
  done: boolean;
  children: ComponentChildren;
}

/** One step with its number, or a check mark once it is done. */
export function Step({ at, title, done, children }: StepProps) {
  return (
    <li class={`card step ${done ? 'is-done' : ''}`}>
      <div class="card-head">
        <span class="step-at" aria-hidden="true">
          {done ? <Icon name="check" /> : formatNumber(at)}
        </span>
        <h2>{title}</h2>
        {done && <span class="visually-hidden">{t('welcomeDone')}</span>}
      </div>
      {children}
    </li>
  );
}
