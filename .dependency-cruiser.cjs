const { readdirSync } = require('node:fs')
const { join } = require('node:path')

// The arrows of ARCHITECTURE.md. A package may use what its row lists, through its index.ts, and nothing else of ours.
const mayUse = {
  engine: [],
  contract: ['engine'],
  client: ['contract'],
  pricebook: ['engine'],
  pipeline: ['contract', 'engine', 'pricebook'],
  server: ['contract', 'engine', 'pipeline', 'pricebook'],
  agent: ['contract', 'engine'],
  web: ['client', 'contract', 'engine'],
  simulator: ['client', 'contract', 'engine', 'agent'],
  cli: ['client', 'contract', 'agent', 'engine', 'pipeline', 'pricebook'],
}

// The features of the server from low to high. A feature uses platform/ and lower features, and those through their index.ts.
const features = [
  'audit',
  'channels',
  'teams',
  'alerts',
  'clusters',
  'people',
  'settings',
  'prices',
  'ingest',
  'recommendations',
  'plans',
  'manifests',
  'costs',
  'opencost',
  'metrics',
  'exports',
  'monitoring',
  'budgets',
  'statements',
  'views',
  'search',
  'overview',
  'maintenance',
]

/** A folder that no list names would have no rules, and a name without a folder misleads the reader. */
function demandListed(folder, names) {
  const entries = readdirSync(join(__dirname, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const found = entries.map(({ name }) => name)
  const unlisted = found.filter((name) => !names.includes(name))
  if (unlisted.length > 0) throw new Error(`Add to .dependency-cruiser.cjs what ${folder}/{${unlisted}} may use.`)
  const absent = names.filter((name) => !found.includes(name))
  if (absent.length > 0) throw new Error(`Remove ${absent} from .dependency-cruiser.cjs: ${folder} does not have it.`)
}
demandListed('packages', Object.keys(mayUse))
demandListed('packages/server/src', ['platform', ...features])

// The folders of the other packages from low to high, and those of large folders. A folder uses only lower folders.
const floors = {
  'packages/agent/src': [
    ...['cloud', 'queue', 'shape', 'watch', 'kinds', 'kubernetes', 'send'],
    ...['observe', 'usage', 'run'],
  ],
  'packages/cli/src': ['output', 'context', 'commands', 'diff', 'scan'],
  'packages/client/src': [],
  'packages/contract/src': ['schemas', 'payload', 'operations', 'routes'],
  'packages/engine/src': [
    ...[
      'vocabulary',
      'alerts',
      'messages',
      'opencost',
      'pricing',
      'savings',
      'allocation',
      'changes',
      'focus',
      'idle',
      'rightsizing',
    ],
    ...['forecast', 'packing', 'incidents', 'rules', 'manifests', 'plan', 'verification', 'testing'],
  ],
  'packages/engine/src/rules': ['facts', 'savings', 'sizing', 'catalogue'],
  'packages/pipeline/src': ['prices', 'fold', 'facts', 'advice', 'estimates'],
  'packages/pricebook/src': ['parse', 'providers', 'compile', 'names', 'find'],
  'packages/simulator/src': ['scenario', 'scenarios', 'world', 'batches', 'misbehave', 'send', 'demo'],
  'packages/web/src': ['design', 'format', 'api', 'charts', 'parts', 'shell', 'pages'],
}
for (const [folder, names] of Object.entries(floors)) demandListed(folder, names)

const inServer = (names) => `^packages/server/src/(${names.join('|')})/`
const notTests = '\\.test\\.tsx?$'

const others = (name) => Object.keys(mayUse).filter((other) => other !== name && !mayUse[name].includes(other))

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'only-through-index',
      comment: 'No package knows the inside of another.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/',
        pathNot: [
          '^packages/$1/',
          '^packages/[^/]+/src/index\\.ts$',
          '^packages/[^/]+/src/[^/]+/index\\.ts$',
          '^packages/[^/]+/test/index\\.ts$',
        ],
      },
    },
    {
      name: 'engine-is-pure',
      comment: 'The engine decides from plain values: no I/O and no dependencies.',
      severity: 'error',
      from: { path: '^packages/engine/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/engine/src/' },
    },
    {
      name: 'only-the-vocabulary-of-the-engine',
      comment: 'These packages share words with the engine. They contain no computation of it.',
      severity: 'error',
      from: { path: '^packages/(contract|pricebook|web)/src/', pathNot: notTests },
      to: { path: '^packages/engine/', pathNot: '^packages/engine/src/vocabulary/index\\.ts$' },
    },
    {
      name: 'vocabulary-imports-nothing',
      severity: 'error',
      from: { path: '^packages/engine/src/vocabulary/' },
      to: { pathNot: '^packages/engine/src/vocabulary/' },
    },
    {
      name: 'pipeline-is-pure',
      comment: 'The pipeline computes: no I/O, no dependencies but the packages above.',
      severity: 'error',
      from: { path: '^packages/pipeline/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/(pipeline|contract|engine|pricebook)/src/' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['\\.test\\.tsx?$', '^packages/[^/]+/test/'] },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^packages/server/src/platform/', pathNot: notTests },
      to: { path: inServer(features) },
    },
    ...features.map((name, floor) => ({
      name: `arrows-of-${name}-run-down`,
      severity: 'error',
      from: { path: inServer([name]), pathNot: notTests },
      to: { path: inServer(features.slice(floor + 1).concat('nothing-above')) },
    })),
    ...Object.entries(floors).flatMap(([folder, names]) =>
      names.slice(0, -1).map((name, floor) => ({
        name: `arrows-in-${folder}/${name}-run-down`,
        severity: 'error',
        from: { path: `^${folder}/${name}/`, pathNot: notTests },
        to: { path: `^${folder}/(${names.slice(floor + 1).join('|')})/` },
      })),
    ),
    {
      name: 'features-only-through-index',
      severity: 'error',
      from: { path: inServer(features), pathNot: notTests },
      to: { path: inServer(features), pathNot: ['^packages/server/src/$1/', '^packages/server/src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'nothing-uses-the-composition-root',
      comment: 'Files directly in server/src put the features together; directories.ts names files beside them.',
      severity: 'error',
      from: { path: '^packages/server/src/[^/]+/', pathNot: notTests },
      to: { path: '^packages/server/src/[^/]+\\.ts$', pathNot: '^packages/server/src/(directories|fastify\\.d)\\.ts$' },
    },
    {
      name: 'web-knows-types-of-the-contract',
      comment:
        'A value of it brings all schemas along, half as much again as the first page. Settings need the list of permissions.',
      severity: 'error',
      from: { path: '^packages/web/src/', pathNot: ['\\.test\\.tsx?$', '^packages/web/src/format/permissions\\.ts$'] },
      to: { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-carries-no-schemas',
      comment:
        'The dashboard and the command line run the client: of the contract it gets the table of routes and types.',
      severity: 'error',
      from: { path: '^packages/(client|cli/src/(output|context|commands))/', pathNot: notTests },
      to: {
        path: '^packages/contract/',
        pathNot: '^packages/contract/src/routes/index\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    ...Object.keys(mayUse).map((name) => ({
      name: `arrows-of-${name}`,
      severity: 'error',
      from: { path: `^packages/${name}/src/`, pathNot: '\\.test\\.tsx?$' },
      to: { path: `^packages/(${others(name).join('|')})/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built is nobody's source.
    exclude: { path: '/dist[./]' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
