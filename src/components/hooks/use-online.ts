import { useEffect, useState } from 'preact/hooks';
import { sendToBackground } from '../../messages/ask-background.ts';

/**
 * Whether the browser believes there is a network. When it comes back, the background is told: Chromium's workers do not
 * hear of it themselves.
 */
export function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    // Without an answer nothing is lost: the background also looks by itself, only later.
    const tell = () => void sendToBackground({ type: 'online' }).catch(() => undefined);
    addEventListener('online', update);
    addEventListener('online', tell);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('online', tell);
      removeEventListener('offline', update);
    };
  }, []);
  return online;
}
