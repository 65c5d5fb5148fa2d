/** The id of a link that a service listed and that was not made here: one for each code of a connection. */
export function listedId(connectionId: string, shortCode: string): string {
  return `${connectionId}/${shortCode}`;
}
