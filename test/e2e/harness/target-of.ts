/** Where a short URL leads; null where the text is none. A clipboard may hold an earlier one for a moment: ask again. */
export async function targetOf(text: string): Promise<string | null> {
  if (!text.startsWith('http')) return null;
  return (await fetch(text, { redirect: 'manual' })).headers.get('location');
}
