/** What an error that nobody foresaw is told as. */
export function failureCode(error: unknown): 'storage_full' | 'internal' {
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'storage_full' : 'internal';
}
