import { expect, test } from 'vitest';
import { qrMatrix, qrPath } from '../../../src/ui/qr-matrix.ts';

test('the path draws every dark module once, inside a quiet zone of four', () => {
  const matrix = qrMatrix('https://go.example/Kx3f9Qp');
  const drawn = [...qrPath(matrix).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].flatMap(([, x, y, length]) =>
    Array.from({ length: Number(length) }, (_, step) => `${Number(x) + step},${y}`),
  );
  const dark = matrix.flatMap((row, y) => row.flatMap((on, x) => (on ? [`${x},${y}`] : [])));
  expect(drawn.sort()).toEqual(dark.sort());
  expect(matrix.length).toBe(matrix[0]?.length);
  for (const edge of [0, 1, 2, 3]) {
    expect(matrix[edge]?.some(Boolean)).toBe(false);
    expect(matrix.some((row) => row[edge] || row[row.length - 1 - edge])).toBe(false);
  }
});
