import { useCallback, useEffect, useState } from 'preact/hooks';
import type { SettingsHandlers } from '../../components/hooks/use-settings-and-theme.ts';

/**
 * Holds the offer to shorten pages when the popup opens. It is noted as soon as it is shown, so that it is made only
 * once, and stays until it is answered or the popup closes.
 */
export function useShortenOnOpenOffer(isDue: boolean, change: SettingsHandlers['change']) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isDue) return;
    setShown(true);
    change({ shortenOnOpenOffered: true });
  }, [isDue, change]);
  const answer = useCallback(
    (isAccepted: boolean) => {
      setShown(false);
      if (isAccepted) change({ shortenOnOpen: true });
    },
    [change],
  );
  return { isShown, answer };
}
