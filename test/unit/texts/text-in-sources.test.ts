import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import messages from '../../../public/_locales/en/messages.json' with { type: 'json' };

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Attributes of elements and components that users read or hear. */
const SHOWN =
  /^(title|alt|placeholder|label|text|hint|help|aria-(label|description|valuetext|roledescription|placeholder))$/;
/** A phrase in natural language, such as "Something went". */
const PHRASE = /^\p{Lu}\p{Ll}+ \p{L}/u;
const LETTER = /\p{L}/u;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function below(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** Returns the literal texts of an expression, except texts inside function calls. */
function texts(node: Node): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'TemplateElement') return [(node.value as { cooked: string }).cooked];
  if (node.type === 'CallExpression' || node.type === 'MemberExpression' || node.type === 'JSXElement') return [];
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].filter(isNode).flatMap(texts);
  if (node.type === 'BinaryExpression' && node.operator !== '+') return [];
  return below(node).flatMap(texts);
}

/** Returns text in a source file that should be in `_locales`. */
function textsIn(source: string, file = 'some.tsx'): string[] {
  const found: string[] = [];
  const visit = (node: Node) => {
    // Only developers read error messages and logs.
    if (node.type === 'NewExpression' || node.type === 'ThrowStatement' || node.type === 'TSLiteralType') return;
    if (node.type === 'JSXText') found.push(node.value as string);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      const children = (node.children as Node[]).filter(({ type }) => type === 'JSXExpressionContainer');
      found.push(...children.flatMap((child) => texts(child.expression as Node)));
    }
    if (node.type === 'JSXAttribute' && SHOWN.test((node.name as Node).name as string) && isNode(node.value)) {
      found.push(...texts(node.value));
    }
    if (
      node.type === 'AssignmentExpression' &&
      isNode(node.left) &&
      /^(title|textContent|innerText)$/.test(nameOf(node.left))
    ) {
      found.push(...texts(node.right as Node));
    }
    if (node.type === 'Literal' && typeof node.value === 'string' && PHRASE.test(node.value)) found.push(node.value);
    for (const one of below(node)) visit(one);
  };
  visit(parseSync(file, source).program as unknown as Node);
  return [...new Set(found.map((text) => text.trim()).filter((text) => LETTER.test(text)))];
}

/** Returns the name of the assigned property, such as `document.title`. */
function nameOf(node: Node): string {
  return isNode(node.property) ? String(node.property.name) : '';
}

describe('text outside _locales', () => {
  test.each([
    ['between tags', '<p>Hello</p>', 'Hello'],
    ['in braces', "<p>{ok ? 'Yes' : t('no')}</p>", 'Yes'],
    ['in a template', '<p>{`Hello $' + '{name}`}</p>', 'Hello'],
    ['in a concatenation', "<p>{t('hello') + ' you'}</p>", 'you'],
    ['in an attribute', '<button title="Close" />', 'Close'],
    ['in an attribute, in braces', "<button aria-label={open ? 'Close' : t('open')} />", 'Close'],
    ['as a title', "document.title = 'Terse options'", 'Terse options'],
    ['as a phrase anywhere', "show({ text: { now: 'Something went wrong' } })", 'Something went wrong'],
  ])('is found %s', (_where, source, text) => {
    expect(textsIn(source)).toEqual([text]);
  });

  test.each([
    ['a key', "<p>{t('hello')}</p>"],
    ['a class', '<p class="line is-long">{name}</p>'],
    ['a compared text', "<p>{kind === 'open' && t('open')}</p>"],
    ['an error for developers', "throw new Error('There is no such page')"],
    ['an icon', "<Icon name={copied ? 'check' : 'copy'} />"],
  ])('does not include %s', (_what, source) => {
    expect(textsIn(source)).toEqual([]);
  });
});

const NO_TEXT = [
  // Part of a browser's name for an operating system.
  'Mac OS',
  'https://',
  // The reason for an offscreen document, which Chrome shows only to developers.
  'Copies a short URL.',
];

test('every text of the extension is in _locales', () => {
  // Adapters recognize texts of servers, but show none.
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/servers.(kutt|yourls|sink|shlink|chhoto)/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    textsIn(readFileSync(file, 'utf8'), file)
      .filter((text) => !NO_TEXT.includes(text) && !(text in messages))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('the HTML pages contain no text', () => {
  const texts = globSync('src/*/index.html').flatMap((file) => {
    // A button's placeholder contains text to get the button's width, but the text is invisible.
    const unread =
      /<!--.*?-->|<script.*?<\/script>|<title>Terse<\/title>|<span class="[^"]*is-placeholder">.*?<\/span>/gs;
    const html = readFileSync(file, 'utf8').replace(unread, '');
    return html
      .split(/<[^>]*>/)
      .map((text) => text.trim())
      .filter((text) => LETTER.test(text))
      .map((text) => `${file}: ${text}`);
  });
  expect(texts).toEqual([]);
});
