import { useEffect } from 'preact/hooks';

/**
 * Keeps how high the popup is, for the first paint of the next one (`public/first-paint.js`): it opens as high as it is
 * going to be, instead of growing under the pointer.
 */
export function useLastHeight(): void {
  useEffect(() => {
    const popup = document.querySelector('main');
    document.documentElement.style.removeProperty('--last-height');
    if (!popup) return;
    const observer = new ResizeObserver(() => {
      // A dialog makes it higher than the next one opens.
      if (!popup.querySelector('dialog[open]')) localStorage.setItem('popupHeight', String(popup.offsetHeight));
    });
    observer.observe(popup);
    return () => observer.disconnect();
  }, []);
}
