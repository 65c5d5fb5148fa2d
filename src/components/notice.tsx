import { useLayoutEffect } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

export interface FindingProps {
  icon: IconName;
  tone: string;
  text: string;
}

/** One sentence about a result or a problem, with an icon. */
export function Notice({ icon, tone, text }: FindingProps) {
  return (
    <p class={`notice ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}

/**
 * Selectors of the controls that dismiss a notice, by event type. Text fields are not watched for `change`, because
 * they fire `change` as soon as the user presses another control. Removing the notice at that moment would move the
 * other control away from the pointer.
 */
const CONTROLS = { click: 'button, input, select, textarea, a, summary, label', change: 'select' };

/**
 * Removes a notice when the user uses another control, so that the notice does not stay beside a newer message.
 *
 * @param isShown true if the page shows the notice now
 */
export function useNextAction(isShown: boolean, takeBack: () => void): void {
  useLayoutEffect(() => {
    if (!isShown) return;
    const act = ({ type, target }: Event) => {
      if (target instanceof Element && target.closest(CONTROLS[type as keyof typeof CONTROLS])) takeBack();
    };
    // The capture phase runs first, so the old notice is removed before the clicked control shows a new one.
    document.addEventListener('click', act, true);
    document.addEventListener('change', act, true);
    return () => {
      document.removeEventListener('click', act, true);
      document.removeEventListener('change', act, true);
    };
  }, [isShown, takeBack]);
}
