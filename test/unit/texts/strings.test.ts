import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import messages from '../../../public/_locales/en/messages.json' with { type: 'json' };

const keys = Object.keys(messages);

/** Returns the members of a union of string literals, read from its declaration. */
function union(file: string, name: string): string[] {
  const declared = new RegExp(`export type ${name} =([^;]*);`).exec(readFileSync(file, 'utf8'))?.[1];
  return [...(declared ?? '').matchAll(/'(\w+)'/g)].map(([, member = '']) => member);
}

const REFUSALS = union('src/messages/protocol.ts', 'RefusalCode');

/** Message keys that are built from a code. Every code needs a message, so a new code without one fails this test. */
const FAMILIES = {
  problem_: union('src/servers/adapter.ts', 'ProblemCode'),
  block_: union('src/queue/types.ts', 'BlockReason'),
  refusal_: REFUSALS,
  wait_: union('src/queue/status.ts', 'WaitReason'),
  connection_: union('src/queue/status.ts', 'ConnectionStatus'),
  // Codes that are also error codes use the messages of the error codes.
  blocked_: union('src/urls/shortenable-url-rules.ts', 'NotShortenable').filter((code) => !REFUSALS.includes(code)),
  address_: union('contract/src/connection-link.ts', 'AddressProblem'),
};

test.each(Object.entries(FAMILIES))('every code has a message: %s', (prefix, codes) => {
  expect(codes.length).toBeGreaterThan(1);
  expect(keys).toEqual(expect.arrayContaining(codes.map((code) => prefix + code)));
});

test('every message is used', () => {
  const source = globSync(['src/**/*.{ts,tsx}', 'manifest.json'])
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const composed = new Set(Object.entries(FAMILIES).flatMap(([prefix, codes]) => codes.map((code) => prefix + code)));
  const templates = [...source.matchAll(/`(\w*)\$\{\w+(?:\.\w+)?\}(\w*)`/g)].map(
    ([, start = '', end = '']) => new RegExp(`^${start}\\w+${end}$`),
  );
  const specific = templates.filter((one) => !/^\^\\w\+\$$/.test(one.source));
  const unused = keys.filter(
    (key) =>
      !composed.has(key) &&
      // The source contains a plural message's key without the plural suffix.
      !source.includes(`'${key.replace(/__[a-z]+$/, '')}'`) &&
      !source.includes(`name="${key}"`) &&
      !source.includes(`__MSG_${key}__`) &&
      !specific.some((template) => template.test(key)),
  );
  expect(unused).toEqual([]);
});

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Returns the string literals of a source file, without those that only developers read. */
function literals(node: Node): string[] {
  if (/^(NewExpression|ThrowStatement|TSLiteralType|ImportDeclaration)$/.test(node.type)) return [];
  if (node.type === 'Literal' || node.type === 'JSXText') return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'TemplateElement') return [(node.value as { cooked: string }).cooked];
  return Object.values(node).flat().filter(isNode).flatMap(literals);
}

/** Text in natural language: a phrase such as "Something went", or one word that begins with a capital letter. */
const PHRASE = /^\s*\p{Lu}\p{Ll}+ \p{L}/u;
const WORD = /^\s*\p{Lu}\p{Ll}+[.:!?…]?\s*$/u;

const NO_TEXT = [
  // Names of keys, and of server software.
  ...['Enter', 'Escape', 'Tab', 'Terse', 'Kutt', 'Sink', 'Shlink'],
  // Part of a browser's name for an operating system.
  'Mac OS',
  // The reason for an offscreen document, which Chrome shows only to developers.
  'Copies a short URL.',
];

// Biome's rule `noJsxLiterals` finds the text between tags.
test('every text of the extension is in _locales', () => {
  // Adapters recognize texts of servers, but show none.
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/servers.(kutt|yourls|sink|shlink|chhoto)/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const isPage = file.endsWith('.tsx');
    return literals(parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node)
      .filter((text) => PHRASE.test(text) || (isPage && WORD.test(text)))
      .filter((text) => !NO_TEXT.includes(text) && !(text in messages))
      .map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});

test('the HTML pages contain no text', () => {
  const files = globSync('src/pages/*/index.html');
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(/<!--.*?-->|<title>Terse<\/title>|<[^>]*>/gs, '');
    expect(text, file).not.toMatch(/\p{L}/u);
  }
});
