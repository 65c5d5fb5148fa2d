import type { Signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

/** Loads a component when it is first needed, so that the page opens faster. Null until it is loaded. */
export function useLazy<T>(isNeeded: boolean, load: () => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<{ part: T } | null>(null);
  useEffect(() => {
    if (isNeeded && !loaded) void load().then((part) => setLoaded({ part }));
  }, [isNeeded, loaded]);
  return loaded?.part ?? null;
}

/** QR code dialog for the short URL in `shown`. Closing the dialog sets `shown` to null. */
export function LazyQrDialog({ shown }: { shown: Signal<string | null> }) {
  const QrDialog = useLazy(shown.value !== null, async () => (await import('./qr-dialog.tsx')).QrDialog);
  if (!QrDialog || shown.value === null) return null;
  const close = () => {
    shown.value = null;
  };
  return <QrDialog shortUrl={shown.value} close={close} />;
}
