// One rule per row of the layout table (ARCHITECTURE.md): what a folder may import, and why.
const ROOMS =
  'api|outbox|workflows|activities|media|drm|storage|player|egress|security|db|temporal|domain|cli|sdk'

/** `folder` may import only from `allowed` among our own folders. */
function only(folder, allowed, comment, { types = '' } = {}) {
  const inside = [folder, ...allowed].join('|')
  const rules = [
    {
      name: `${folder.replaceAll('/', '-')}-imports`,
      severity: 'error',
      comment,
      from: { path: `^${folder}/`, pathNot: '(\\.test\\.ts|/testing/)' },
      to: {
        path: `^(${ROOMS})/`,
        pathNot: `^(${inside}${types && `|${types}`})/`,
      },
    },
  ]
  if (types)
    rules.push({
      name: `${folder.replaceAll('/', '-')}-types-only`,
      severity: 'error',
      comment: `${comment} Of ${types} it may know the types alone.`,
      from: { path: `^${folder}/`, pathNot: '(\\.test\\.ts|/testing/)' },
      to: { path: `^(${types})/`, dependencyTypesNot: ['type-only'] },
    })
  return rules
}

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Two files that need each other are one idea in two places.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'not-to-test',
      severity: 'error',
      comment: 'Production code never needs a test or its helpers.',
      from: {
        path: `^(${ROOMS})/|^(worker|serve|open-egress|open-master-keys|config)\\.ts$`,
        pathNot: '(\\.test\\.ts|/testing/)',
      },
      to: { path: '\\.test\\.ts$|^test/|/testing/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'Workflows run the domain in their sandbox: no I/O, no Node modules, no packages.',
      from: { path: '^domain/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'environment-has-one-reader',
      severity: 'error',
      comment: 'config.ts is read by composition roots only; everything else takes options.',
      from: {
        path: `^(${ROOMS})/`,
        pathNot: '(\\.test\\.ts$|/(main|server)\\.ts$|^cli/)',
      },
      to: { path: '^config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    ...only(
      'api',
      ['domain', 'security', 'db', 'egress', 'outbox/append'],
      'Without temporal/ in reach, POST works while Temporal is down.',
    ),
    ...only(
      'outbox/append',
      ['domain', 'db'],
      'Appending happens in the transaction of whoever calls.',
    ),
    ...only(
      'outbox/relay',
      ['domain', 'db', 'temporal', 'outbox/append'],
      'The relay turns rows into workflow starts and knows no more of the work.',
      { types: 'workflows' },
    ),
    ...only(
      'workflows',
      ['domain', 'temporal'],
      'Workflow code is replayed: it decides order and waiting, activities do the rest.',
      { types: 'activities' },
    ),
    ...only(
      'activities',
      [
        'domain',
        'security',
        'egress',
        'media',
        'drm',
        'storage',
        'db',
        'outbox/append',
        'temporal',
      ],
      'An activity does one side effect through the rooms below it.',
    ),
    ...only('media', ['domain'], 'ffmpeg and the packager work on local files only.'),
    ...only('drm', ['domain', 'security', 'egress'], 'Key providers are outside addresses.'),
    ...only('storage', ['domain'], 'Objects by key, whoever they belong to.'),
    ...only(
      'player',
      ['domain', 'security', 'db', 'storage', 'drm', 'outbox/append'],
      'The player host serves; it starts no work and fetches from nobody.',
    ),
    ...only('egress', ['domain'], 'The guard depends on nothing that could be asked to weaken it.'),
    ...only('security', ['domain'], 'Cryptography on values, no storage.'),
    ...only('db', ['domain'], 'Rows and queries; what they mean is decided elsewhere.'),
    ...only('temporal', ['domain'], 'Names and connections that both sides of Temporal share.'),
    ...only('sdk', [], 'It is published by itself: what it knows of us is the OpenAPI document.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|\\.cache|\\.reelgate)' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
