import { useLayoutEffect } from 'preact/hooks';

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
