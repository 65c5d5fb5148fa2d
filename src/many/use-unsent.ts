import { useEffect } from 'preact/hooks';

/** Has the browser ask before it closes or leaves the page while addresses are chosen that are nowhere but on it. */
export function useUnsent(hasUnsent: boolean): void {
  useEffect(() => {
    if (!hasUnsent) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasUnsent]);
}
