// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://links.example.com/sign-in" }
import { expect, test, vi } from 'vitest';

test("over https, the dashboard's script sets only a cookie that no other host can set", async () => {
  const cookies = vi.spyOn(document, 'cookie', 'set');
  // @ts-expect-error The script has no types.
  await import('../../../backend/src/dashboard/assets/dashboard.js');
  expect(cookies.mock.calls).toEqual([['__Host-terse-zone=UTC; Path=/; Max-Age=31536000; SameSite=Lax; Secure']]);
});
