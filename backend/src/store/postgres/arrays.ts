/**
 * A column of numbers as PostgreSQL reads an array. The driver would quote and escape each of them, which costs a create more
 * than its digits do.
 */
export function numberArray(column: readonly (number | null)[]): string {
  return `{${column.map((value) => value ?? 'NULL').join(',')}}`;
}
