import { useLayoutEffect } from 'preact/hooks';

/** What a person does something with: pressed by mouse or key, or changed. */
const CONTROLS = 'button, input, select, textarea, a, summary, label';

/**
 * Takes back that something was done, with the next thing that the person does on the page: by then it has been read, and
 * it would stand beside what came after it.
 *
 * @param isSaid whether the page says it now
 */
export function useNextAction(isSaid: boolean, takeBack: () => void): void {
  useLayoutEffect(() => {
    if (!isSaid) return;
    const act = ({ target }: Event) => {
      if (target instanceof Element && target.closest(CONTROLS)) takeBack();
    };
    // Before whatever is pressed says something itself.
    document.addEventListener('click', act, true);
    document.addEventListener('change', act, true);
    return () => {
      document.removeEventListener('click', act, true);
      document.removeEventListener('change', act, true);
    };
  }, [isSaid, takeBack]);
}
