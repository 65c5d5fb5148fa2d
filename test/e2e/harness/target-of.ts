/**
 * Returns the destination of a short URL, or null if the text is not a short URL. The caller retries, because the
 * clipboard may briefly contain an older text.
 */
export async function targetOf(text: string): Promise<string | null> {
  if (!text.startsWith('http')) return null;
  return (await fetch(text, { redirect: 'manual' })).headers.get('location');
}
