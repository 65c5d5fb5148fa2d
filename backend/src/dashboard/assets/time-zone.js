/** Keeps the browser's time zone in a cookie, so that the server can write times, and read them, as this person does. */
export function keepTimeZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on pages that came over plain http
  if (zone) document.cookie = `terse-zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
