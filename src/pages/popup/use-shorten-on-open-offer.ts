import { useCallback, useEffect, useState } from 'preact/hooks';
import type { SettingsHandlers } from '../../components/hooks/use-settings-and-theme.ts';

/**
 * Holds the offer to turn on the setting `shortenOnOpen`. The extension stores that the user has seen the offer, so
 * the offer is made only once. The offer stays visible until the user answers or the popup closes.
 */
export function useShortenOnOpenOffer(isDue: boolean, change: SettingsHandlers['change']) {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    if (isDue) setOffered(true);
  }, [isDue]);
  const markShown = useCallback(() => change({ shortenOnOpenOffered: true }), [change]);
  const answer = useCallback(
    (isAccepted: boolean) => {
      setOffered(false);
      if (isAccepted) change({ shortenOnOpen: true });
    },
    [change],
  );
  return { isOffered, markShown, answer };
}
