import { useCallback, useRef, useState } from 'preact/hooks';
import { askSurely } from '../ui/ask-surely.ts';
import type { Wish } from './stage.ts';

interface WishControl {
  wish: Wish | null;
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
export function useWish(isPrivate: boolean, refresh: () => Promise<unknown>): WishControl {
  const [wish, setWish] = useState<Wish | null>(null);
  const current = useRef<string | null>(null);

  const send = useCallback(
    async (id: string, url: string, title: string) => {
      current.current = id;
      setWish({ id, url, title, state: 'asking' });
      const answered = await outcome(id, url, title, isPrivate);
      await refresh();
      if (current.current === id) setWish({ id, url, title, ...answered });
    },
    [isPrivate, refresh],
  );

  return {
    wish,
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
