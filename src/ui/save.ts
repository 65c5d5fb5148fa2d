/** Hands the person a file to keep. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The download reads the blob after this turn; a minute is far beyond what it takes to start.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
