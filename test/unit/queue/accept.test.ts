import { expect, test } from 'vitest';
import { isRefusedTarget, isTooLong } from '../../../src/queue/accept.ts';
import { fullService } from './support/queue-builders.ts';

function connectionAt(baseUrl: string, shortBaseUrl: string, refusedTargets?: string[]) {
  const service = { name: 'Full', shortBaseUrl, features: [], ...(refusedTargets && { refusedTargets }) };
  return { ...fullService(), baseUrl, service };
}

const PUBLIC = connectionAt('https://a.example', 'https://s.example', ['own', 'private']);

test.each([
  'http://127.0.0.1:3000/',
  'http://localhost/',
  'http://10.1.2.3/',
  'http://172.31.0.1/',
  'http://192.168.178.1/',
  'http://[::1]/',
  'http://[fd00::1]/',
  'http://nas/',
  'http://printer.local./',
])('a service that refuses private targets does not receive %s', (url) => {
  expect(isRefusedTarget(PUBLIC, url)).toBe(true);
  expect(isRefusedTarget({ ...PUBLIC, service: null }, url)).toBe(false);
  expect(isRefusedTarget(connectionAt('https://a.example', 'https://s.example'), url)).toBe(false);
  expect(isRefusedTarget(connectionAt('https://a.example', 'https://s.example', ['own']), url)).toBe(false);
});

test.each(['https://a.example/dashboard', 'http://a.example.:8080/', 'https://s.example/'])(
  'a service that refuses its own hosts does not receive %s',
  (url) => {
    expect(isRefusedTarget(PUBLIC, url)).toBe(true);
    expect(isRefusedTarget(connectionAt('https://a.example', 'https://s.example', ['private']), url)).toBe(false);
  },
);

test('a service that refuses its own hosts does not receive URLs of its other domains', () => {
  const domains = [{ name: 'go.example', shortBaseUrl: 'https://go.example' }];
  const several = { ...PUBLIC, service: { ...PUBLIC.service, domains } };
  expect(isRefusedTarget(several, 'https://go.example/abc')).toBe(true);
  expect(isRefusedTarget(PUBLIC, 'https://go.example/abc')).toBe(false);
});

test.each(['https://x.example/', 'http://172.32.0.1/', 'http://11.0.0.1/', 'https://local.example/'])(
  'a public target is sent: %s',
  (url) => {
    expect(isRefusedTarget(PUBLIC, url)).toBe(false);
  },
);

test('a service on this computer refuses only URLs with its own ports', () => {
  const local = connectionAt('http://127.0.0.1:8787', 'http://127.0.0.1:8788', ['own']);
  expect(isRefusedTarget(local, 'http://localhost:8788/abc')).toBe(true);
  expect(isRefusedTarget(local, 'http://localhost:3000/')).toBe(false);
});

test.each([
  [2048, 2048],
  [32_768, 32_768],
  [undefined, 8192],
])('a service with a maximum length of %s bytes receives URLs of up to %i bytes', (maxUrlBytes, max) => {
  const service = {
    name: 'Full',
    shortBaseUrl: 'https://s.example',
    features: [],
    ...(maxUrlBytes && { maxUrlBytes }),
  };
  const url = `https://a.example/${'x'.repeat(max - 18)}`;
  expect(isTooLong({ service }, url)).toBe(false);
  expect(isTooLong({ service }, `${url}x`)).toBe(true);
});

test('a service without a document receives URLs of up to 8,192 bytes', () => {
  expect(isTooLong({ service: null }, 'x'.repeat(8192))).toBe(false);
  expect(isTooLong({ service: null }, 'x'.repeat(8193))).toBe(true);
});
