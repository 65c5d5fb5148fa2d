/** The permission a service's address needs. Firefox's patterns have no port, so none is named. */
export function hostPattern(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  return `${protocol}//${hostname}/*`;
}
