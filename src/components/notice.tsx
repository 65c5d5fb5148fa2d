import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

export interface FindingProps {
  icon: IconName;
  tone: string;
  text: string;
}

/** One sentence about what was found or done, with its icon. */
export function Notice({ icon, tone, text }: FindingProps) {
  return (
    <p class={`finding ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}

interface MessageBoxProps {
  icon: IconName;
  tone?: 'is-danger' | 'is-warning' | '';
  busy?: boolean;
  children: ComponentChildren;
}

/** A sentence in the middle of the popup, with what can be done about it. */
export function ServiceMessage({ icon, tone = '', busy = false, children }: MessageBoxProps) {
  return (
    <div class={`state message ${tone} ${busy ? 'is-busy' : ''}`} aria-busy={busy}>
      <Icon name={icon} />
      <div class="message-body">{children}</div>
    </div>
  );
}

/**
 * What a person does something with, by the event that tells of it. A text field changes as the mouse goes down on what is
 * pressed next: if a line above that went then, it would move from under the mouse, and not be pressed at all.
 */
const CONTROLS = { click: 'button, input, select, textarea, a, summary, label', change: 'select' };

/**
 * Takes back that something was done, with the next thing that the person does on the page: by then it has been read, and
 * it would stand beside what came after it.
 *
 * @param isShown whether the page shows it now
 */
export function useNextAction(isShown: boolean, takeBack: () => void): void {
  useLayoutEffect(() => {
    if (!isShown) return;
    const act = ({ type, target }: Event) => {
      if (target instanceof Element && target.closest(CONTROLS[type as keyof typeof CONTROLS])) takeBack();
    };
    // Before whatever is pressed says something itself.
    document.addEventListener('click', act, true);
    document.addEventListener('change', act, true);
    return () => {
      document.removeEventListener('click', act, true);
      document.removeEventListener('change', act, true);
    };
  }, [isShown, takeBack]);
}
