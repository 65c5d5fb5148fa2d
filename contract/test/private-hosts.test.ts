import { expect, test } from 'vitest';
import { isPrivateTarget } from '../src/addresses.ts';

test.each([
  'http://localhost/',
  'http://printer/',
  'http://nas.local/',
  'http://127.0.0.1:8080/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://169.254.1.1/',
  'http://172.31.0.1/',
  'http://192.168.1.1/',
  'http://192.0.2.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[2001::1]/',
  'http://[2001:0:1:2:3:4:5:6]/',
  'http://[2001:2::1]/',
  'http://[2001:1ff::1]/',
  'http://[2620:4f:8000::1]/',
  'http://[3fff::1]/',
  'http://[3fff:fff:1::1]/',
  'http://192.88.99.1/',
])('%s is a private target', (url) => {
  expect(isPrivateTarget(new URL(url))).toBe(true);
});

test.each([
  'https://example.com/',
  'https://8.8.8.8/',
  'https://100.128.0.1/',
  'https://172.32.0.1/',
  'https://192.0.3.1/',
  'https://[2606:4700::1111]/',
  'https://[2001:200::1]/',
  'https://[2001:4860:4860::8888]/',
  'https://[2620:4f:8001::1]/',
  'https://[3fff:1000::1]/',
  'https://[3ffe::1]/',
  'https://[2a00:1450::1]/',
  'https://[::ffff:8.8.8.8]/',
])('%s is a public target', (url) => {
  expect(isPrivateTarget(new URL(url))).toBe(false);
});
