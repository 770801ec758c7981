// Who may know whom (docs/architecture.md). Data flows one way through src/core; each folder has one door, index.ts.
const core = '^src/core/';

// For each room of src/core, the rooms it may import besides the four that are free for all.
const rooms = {
  models: ['store'],
  store: [],
  harness: [],
  graph: ['harness'],
  handbook: ['harness', 'graph'],
  locate: ['harness', 'graph', 'handbook'],
  traces: ['harness'],
  links: ['harness', 'graph', 'handbook', 'traces'],
  diagnosis: ['harness', 'graph', 'handbook', 'traces', 'links'],
  proposals: ['harness', 'graph', 'handbook', 'locate', 'traces', 'links', 'diagnosis'],
  validation: ['harness', 'graph', 'handbook', 'locate', 'traces', 'links', 'diagnosis', 'proposals'],
};
// The store knows no other room, and the models know only the store.
const freeForAll = (room) => (room === 'models' || room === 'store' ? [] : ['models', 'store']);

const layers = Object.entries(rooms).map(([room, known]) => {
  const allowed = [room, ...known, ...freeForAll(room)];
  return {
    name: `core-${room}-looks-left-only`,
    comment: `src/core/${room} may import ${allowed.join(', ')}, errors and progress.`,
    severity: 'error',
    from: { path: `${core}${room}/` },
    to: { path: `${core}[^/]+/`, pathNot: `${core}(${allowed.join('|')})/` },
  };
});

module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'known-rooms-only',
      comment: 'A new folder of src/core gets a line in the table of rooms.',
      severity: 'error',
      from: { path: `${core}[^/]+/`, pathNot: `${core}(${Object.keys(rooms).join('|')})/` },
      to: {},
    },
    {
      name: 'core-stands-alone',
      comment: 'The core runs in plain Node, without an editor, a command line or a page around it.',
      severity: 'error',
      from: { path: core },
      to: { path: ['^vscode$', '^src/(host|cli|mcp)/', '^src/extension', '^webview/'] },
    },
    {
      name: 'vscode-only-in-host',
      comment: 'Only the host folder and the entry know the editor.',
      severity: 'error',
      from: { pathNot: ['^src/host/', '^src/extension\\.ts$', '^test/host/'] },
      to: { path: '^vscode$' },
    },
    {
      name: 'doors-between-rooms',
      comment: 'A room is entered through its index.ts.',
      severity: 'error',
      from: { path: `${core}([^/]+)/` },
      to: { path: `${core}[^/]+/`, pathNot: [`${core}$1/`, `${core}[^/]+/index\\.ts$`] },
    },
    {
      name: 'doors-into-core',
      comment: 'From outside too. Pages may take the plain shapes (model.ts), which bring no Node with them.',
      severity: 'error',
      from: { path: '^(src/(host|cli|mcp)/|src/extension\\.ts|webview/)' },
      to: { path: `${core}[^/]+/`, pathNot: [`${core}[^/]+/index\\.ts$`, `${core}[^/]+/model\\.ts$`] },
    },
    {
      name: 'surfaces-do-not-know-each-other',
      comment: 'The editor, the command line and the server share the core, not each other.',
      severity: 'error',
      // One command only starts the server.
      from: { path: '^src/(host|cli|mcp)/', pathNot: '^src/cli/commands/mcp\\.ts$' },
      to: { path: '^src/(host|cli|mcp)/', pathNot: '^src/$1/' },
    },
    {
      name: 'pages-share-only-shared',
      comment: 'A page knows itself, webview/shared and plain shapes.',
      severity: 'error',
      from: { path: '^webview/([^/]+)/' },
      to: { path: ['^webview/', '^src/host/'], pathNot: ['^webview/$1/', '^webview/shared/'] },
    },
    {
      name: 'no-circles',
      comment: 'Files that need each other are one file, or miss a third. Type-only circles are harmless.',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'product-does-not-need-tests',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: { path: '^(test|bench|scripts|examples)/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: { couldNotResolve: true, pathNot: '^(vscode|difference-worker)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|artifacts|test/fixtures)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json'],
    },
    builtInModules: { add: ['vscode'] },
  },
};
