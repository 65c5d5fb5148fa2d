import { useEffect, useState } from 'preact/hooks';
import { sendToBackground } from '../../messages/ask-background.ts';

/**
 * True if the browser reports a network connection. When the connection returns, the page notifies the background
 * worker, because Chromium's service workers get no `online` event.
 */
export function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    // An error can be ignored, because the background worker also checks whether the browser is online.
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
