import { useEffect } from 'preact/hooks';
import type { Link } from '../queue/types.ts';
import { searchText } from './arrange.ts';

/** So many are made at once: in about a millisecond. */
const PART = 1_000;

/** Makes the texts that links are found by, part by part once the page stands, so that the first keystroke need not make them all. */
export function useSearchTexts(links: Link[]): void {
  useEffect(() => {
    let made = 0;
    const makePart = () => {
      for (const link of links.slice(made, made + PART)) searchText(link);
      made += PART;
      if (made < links.length) timer = setTimeout(makePart);
    };
    let timer = setTimeout(makePart);
    return () => clearTimeout(timer);
  }, [links]);
}
