import { useEffect } from 'preact/hooks';

/** Makes the browser ask for confirmation before it closes a page with unsaved changes. */
export function useUnsaved(hasUnsaved: boolean): void {
  useEffect(() => {
    if (!hasUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
}
