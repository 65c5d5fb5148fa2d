import { useEffect } from 'preact/hooks';

/** Makes the browser ask before the page is closed with work that would be lost. */
export function useUnsaved(hasUnsaved: boolean): void {
  useEffect(() => {
    if (!hasUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
}
