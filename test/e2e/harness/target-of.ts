/**
 * Returns the destination of a short URL, or null if the text is not one. The clipboard may briefly contain an
 * earlier text, so retry.
 */
export async function targetOf(text: string): Promise<string | null> {
  if (!text.startsWith('http')) return null;
  return (await fetch(text, { redirect: 'manual' })).headers.get('location');
}
