import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Every file the page may ask for, and where it is kept. All are served from here: nothing comes from elsewhere. */
const FILES = {
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'tokens.css': import.meta.resolve('@terse/design/tokens.css'),
  'icon.svg': import.meta.resolve('@terse/design/icon.svg'),
  'reference.css': import.meta.resolve('./assets/reference.css'),
  'reference.js': import.meta.resolve('./assets/reference.js'),
} as const;

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;

export interface Asset {
  type: string;
  /** Changes with the content. */
  version: string;
  /** The bytes; the compressed ones are kept, the plain ones read again, since hardly anybody asks for them. */
  plain(): Promise<Uint8Array<ArrayBuffer>>;
  gzipped: Uint8Array<ArrayBuffer>;
}

/** Reads a file of the page when it is first asked for; null where the page has no such file. */
export function createAssets(): (name: string) => Promise<Asset> | null {
  const loaded = new Map<string, Promise<Asset>>();
  return (name) => {
    if (!Object.hasOwn(FILES, name)) return null;
    const asset = loaded.get(name) ?? load(name as keyof typeof FILES);
    loaded.set(name, asset);
    return asset;
  };
}

async function load(name: keyof typeof FILES): Promise<Asset> {
  const plain = async () => new Uint8Array(await readFile(new URL(FILES[name])));
  const bytes = await plain();
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES];
  return { type, version, plain, gzipped: new Uint8Array(await compress(bytes)) };
}
