/** The path in what a request asks for (RFC 9112, section 3.2), without its query; empty where there is none. */
export function pathIn(target: string): string {
  // A proxy may send the whole address.
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
