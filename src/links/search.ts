import type { Link } from '../queue/types.ts';

/** The links that hold every word of the query, in their title, URL or short URL, whatever the case. */
export function search(links: Link[], query: string): Link[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return links;
  return links.filter((link) => {
    const text = `${link.title} ${link.url} ${link.shortUrl}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
