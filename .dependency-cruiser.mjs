// Imports run downwards only. Each list names the folders from the bottom to the top.
const EXTENSION = [
  'browser',
  'urls',
  'servers',
  'queue',
  'storage',
  'messages',
  'format',
  'link-sync',
  'import-export',
  'components',
];
const BACKEND = [
  'log',
  'domain',
  'store',
  'http',
  'config',
  'maintenance',
  'clicks',
  'redirects',
  'metrics',
  'import',
  'api',
  'dashboard',
  'move-database',
  'server',
  'commands',
];

/** One rule per folder: it may not import from any folder above it. */
const downwards = (root, layers) =>
  layers.slice(0, -1).map((layer, index) => ({
    name: `${root}/${layer} may not import from a folder above it`,
    severity: 'error',
    from: { path: `^${root}/${layer}/` },
    to: { path: `^${root}/(${layers.slice(index + 1).join('|')})/` },
  }));

export default {
  forbidden: [
    { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
    ...downwards('src', [...EXTENSION, '(pages|background)']),
    ...downwards('backend/src', BACKEND),
    {
      name: 'a page may not import from another page',
      severity: 'error',
      from: { path: '^src/pages/([^/]+)/' },
      to: { path: '^src/pages/', pathNot: '^src/pages/$1/' },
    },
    {
      name: 'pages and background may not import each other',
      severity: 'error',
      from: { path: '^src/(pages|background)/' },
      to: { path: '^src/(pages|background)/', pathNot: '^src/$1/' },
    },
    {
      name: 'extension, backend and contract share only the contract and the design',
      severity: 'error',
      from: { path: '^(src|backend/src|contract/src)/' },
      to: { path: '^(src|backend/src|test|scripts|bench)/', pathNot: '^$1/' },
    },
    {
      name: 'the contract imports only packages',
      severity: 'error',
      from: { path: '^contract/src/' },
      to: { path: '^design/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
  },
};
