/** What a search looks at. */
interface Searchable {
  code: string;
  url: string;
  title: string | null;
}

/** Whether code, url or title hold the text, without regard to case or to how accents are composed. */
export function matcher(text: string): (link: Searchable) => boolean {
  const searched = foldCase(text.trim());
  return ({ code, url, title }) => [code, url, title ?? ''].some((part) => foldCase(part).includes(searched));
}

function foldCase(text: string): string {
  // Most texts are ASCII, which normalising would copy for nothing.
  return (/[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}
