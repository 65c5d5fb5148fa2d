import { useCallback, useRef } from 'preact/hooks';
import { askSurely } from '../ui/ask-surely.ts';
import type { Wish } from './stage.ts';

interface WishControl {
  make: (url: string, title: string) => void;
  askAgain: () => void;
  leave: () => void;
}

/**
 * The wish of this popup. Its id is minted once and asked with until it is answered, so that a background that dies over
 * the question cannot make two requests of one wish.
 *
 * @param refresh reads the view again, so that an accepted wish is found there at once
 */
export function useWish(
  wish: Wish | null,
  setWish: (wish: Wish | null) => void,
  isPrivate: boolean,
  refresh: () => Promise<unknown>,
): WishControl {
  const current = useRef<string | null>(null);

  const send = useCallback(
    async (id: string, url: string, title: string) => {
      current.current = id;
      setWish({ id, url, title, state: 'asking' });
      const answered = await outcome(id, url, title, isPrivate);
      const seen = await refresh().then(
        () => true,
        () => false,
      );
      // Accepted, but out of sight: asked again by the same id, it is still one wish.
      const known = seen || answered.state === 'refused' ? answered : ({ state: 'lost' } as const);
      if (current.current === id) setWish({ id, url, title, ...known });
    },
    [setWish, isPrivate, refresh],
  );

  return {
    make: (url, title) => void send(crypto.randomUUID(), url, title),
    askAgain: () => wish && void send(wish.id, wish.url, wish.title),
    leave: () => {
      current.current = null;
      setWish(null);
    },
  };
}

async function outcome(id: string, url: string, title: string, isPrivate: boolean) {
  try {
    const reply = await askSurely({ type: 'shorten', id, url, title, private: isPrivate });
    return reply.ok ? ({ state: 'accepted' } as const) : ({ state: 'refused', code: reply.code } as const);
  } catch {
    return { state: 'lost' } as const;
  }
}
