/** Returns a link in the format of the service's responses. The fields in `changed` replace the default fields. */
export function exampleLink<Fields extends object>(shortCode: string, changed?: Fields) {
  return {
    shortCode,
    shortUrl: `https://s.example/${shortCode}`,
    url: `https://x.example/${shortCode}`,
    title: null,
    createdAt: '2026-03-28T09:30:00.000Z',
    expiresAt: null,
    clicks: 0,
    ...changed,
  };
}
