import { useEffect, useState } from 'preact/hooks';

/**
 * Handles data that the user drops on the page, or pastes outside of a text field. Returns true while something is
 * dragged over the page.
 *
 * @param take handles the data, and returns true if it used any of it
 */
export function useDrop(take: (transfer: DataTransfer) => boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    // Entering a child element also fires `dragleave`, but that event has a related target.
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const end = () => setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer) take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      const isField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
      if (!isField && event.clipboardData && take(event.clipboardData)) event.preventDefault();
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    // If the user drags a link on this page and releases it outside a drop target, Firefox fires only `dragend`.
    addEventListener('dragend', end, { signal });
    addEventListener('drop', drop, { signal });
    addEventListener('paste', paste, { signal });
    return () => listening.abort();
  }, [take]);
  return isOver;
}
