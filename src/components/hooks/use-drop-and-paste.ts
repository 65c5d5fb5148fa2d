import { useEffect, useState } from 'preact/hooks';

/**
 * Takes whatever is dropped anywhere on the page, or pasted outside a field. Whether something is being dragged over it.
 *
 * @param take whether there was anything to take
 */
export function useDrop(take: (transfer: DataTransfer) => boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    // Leaving for a part of the page is no leaving.
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
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    // Firefox tells a page whose own link was dragged and given up of nothing else.
    addEventListener('dragend', end);
    addEventListener('drop', drop);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('dragend', end);
      removeEventListener('drop', drop);
      removeEventListener('paste', paste);
    };
  }, [take]);
  return isOver;
}
