// One rule per row of the layout table (ARCHITECTURE.md): what a folder may import, and why.
const FOLDERS =
  'api|http|uploads|dashboard|player|cli|doctor|commands|views|outbox|workflows|activities|sources|media|drm|storage|egress|security|db|temporal|domain|sdk|processes|metrics|tracing|design|scripts|bench|test'

const TESTS = '(\\.test\\.ts$)'

/** The files of db/ that insert, update or delete; test/house.test.ts checks that the others do not. */
const WRITES = '^db/[^/]+/write-[^/]+\\.ts$'

/** The files outside commands/ that write. ARCHITECTURE.md says what each one writes, and why. */
const WRITERS = [
  // One statement for each licence and heartbeat: the most frequent writes of the service.
  'player/server/licences/clear-key-licences.ts',
  'player/server/licences/drm-licences.ts',
  'player/server/session.ts',
  'player/server/heartbeats.ts',
  'player/server/growing/playheads.ts',
  'player/server/bandwidth-meter.ts',
  // What a server keeps about requests, before or around the command.
  'api/authenticate.ts',
  'http/middleware/idempotency.ts',
  'dashboard/server/auth/authentication.ts',
  'dashboard/server/auth/guess-limit.ts',
  'dashboard/server/auth/member-caller.ts',
  'dashboard/server/auth/passkeys.ts',
  // The queue of requested workflows.
  'outbox/dispatch.ts',
  'outbox/event-watermark.ts',
  'outbox/relay.ts',
  // Which processes run, and how far a step is.
  'processes/open-master-keys.ts',
  'worker.ts',
  'activities/ingest/record-progress.ts',
  // Batches of rows whose time has come.
  'activities/upkeep/account-sums.ts',
  'activities/upkeep/keep-partitions.ts',
  'activities/upkeep/purge-history.ts',
  'activities/upkeep/remove-account.ts',
  'activities/upkeep/remove-deliveries.ts',
  'activities/upkeep/reseal-values.ts',
  'activities/upkeep/sweep-work.ts',
  'activities/upkeep/run-backfills.ts',
]

/** `folder` may import only from `allowed` among our own folders; from `types` only types. */
function only(folder, allowed, comment, { types = '' } = {}) {
  const inside = [folder, ...allowed].join('|')
  const from = { path: `^${folder}/`, pathNot: TESTS }
  const rules = [
    {
      name: `${folder}-imports`,
      severity: 'error',
      comment,
      from,
      to: { path: `^(${FOLDERS})/`, pathNot: `^(${inside}${types && `|${types}`})(/|$)` },
    },
  ]
  if (types)
    rules.push({
      name: `${folder}-types-only`,
      severity: 'error',
      comment: `${comment} It may use only types of ${types}.`,
      from,
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
      to: { circular: true },
    },
    {
      name: 'not-to-test',
      severity: 'error',
      comment: 'Production code never needs a test or a fixture.',
      from: {
        path: `^(${FOLDERS})/|^config/|^(worker|child-process)\\.ts$`,
        pathNot: `${TESTS}|^(test|bench)/`,
      },
      to: { path: '\\.test\\.ts$|^test/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'Workflows run the domain in their sandbox: no I/O, no Node modules, no packages.',
      from: { path: '^domain/', pathNot: TESTS },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'environment-has-one-reader',
      severity: 'error',
      comment: 'Only the start of a process reads config/config.ts; everything else takes options.',
      from: {
        path: `^(${FOLDERS})/`,
        pathNot: `${TESTS}|/(main|server)\\.ts$|^(cli|processes|scripts|bench|test)/`,
      },
      to: { path: '^config/config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'children-have-one-starter',
      severity: 'error',
      comment:
        'A program that reads files of others gets no setting and no secret. scripts/ starts whole services.',
      from: {
        pathNot: `${TESTS}|^(child-process\\.ts$|media/(launcher/|tie-to-owner\\.ts$)|(scripts|sdk|bench|test)/)`,
      },
      to: { path: '^(node:)?child_process$|^node_modules/execa/' },
    },
    ...only(
      'api',
      [
        'http',
        'uploads',
        'domain',
        'security',
        'egress',
        'commands',
        'views',
        'db',
        'storage',
        'processes',
      ],
      'The API translates HTTP to commands and queries. Without temporal/, POST works while Temporal is down.',
    ),
    ...only(
      'uploads',
      [
        'http',
        'domain',
        'security',
        'commands',
        'db',
        'storage',
        'sources',
        'processes',
        'metrics',
      ],
      'The addresses of uploads translate HTTP to commands, and bytes to the writer of sources.',
    ),
    ...only(
      'sources',
      ['domain', 'security', 'commands', 'db', 'storage'],
      'A source is written in one way, whoever receives its bytes: a download or an upload.',
    ),
    ...only(
      'player',
      [
        'domain',
        'security',
        'commands',
        'db',
        'storage',
        'drm',
        'http/pages',
        'processes',
        'metrics',
      ],
      'The player host serves and starts no work; it sends requests only through drm/.',
    ),
    ...only(
      'dashboard/server',
      [
        'domain',
        'security',
        'egress',
        'commands',
        'views',
        'db',
        'api',
        'http',
        'processes',
        'doctor',
      ],
      'The dashboard translates HTTP to the same commands, queries and operations as the API.',
    ),
    ...only(
      'dashboard/web',
      ['domain', 'player/client/colors', 'player/embed-script', 'sdk/src/upload\\.ts'],
      'The app in the browser knows the HTTP API of its server, and the client of uploads, and no more.',
    ),
    ...only(
      'http',
      ['domain', 'security', 'egress', 'commands', 'views', 'db', 'processes', 'design'],
      'What the servers of operations share: it knows no operation.',
      { types: 'storage' },
    ),
    ...only(
      'http/pages',
      ['domain', 'design'],
      'Static files, languages and the design language, for every server of pages.',
    ),
    ...only('design', ['domain'], 'Colours, type, shapes and motion: it knows no page.'),
    ...only('config', ['domain'], 'The settings of the processes, from their environment.'),
    ...only(
      'cli',
      [
        'domain',
        'security',
        'egress',
        'commands',
        'views',
        'db',
        'storage',
        'temporal',
        'media',
        'drm',
        'processes',
        'doctor',
        'sdk',
      ],
      'A verb translates arguments to commands and queries; doctor tries out what the processes use.',
    ),
    ...only(
      'doctor',
      ['domain', 'security', 'db', 'storage', 'temporal', 'media', 'processes'],
      'What tries out an installation and reads its state, for the command line and for the page of operators.',
    ),
    {
      name: 'doctor-loads-clients-on-demand',
      severity: 'error',
      comment:
        'The dashboard must start and work without Temporal and S3, and without the memory that their clients take.',
      from: { path: '^doctor/(examine|check|installation|read-state)\\.ts$' },
      to: { path: '^(temporal|storage)/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    ...only(
      'commands',
      ['domain', 'security', 'db'],
      'A command changes the record in one transaction and has no other effect.',
    ),
    ...only('views', ['domain'], 'A view describes one JSON shape.', { types: 'db' }),
    ...only(
      'outbox',
      ['domain', 'db', 'temporal', 'tracing'],
      'The relay turns committed requests into calls of Temporal.',
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
        'sources',
        'commands',
        'db',
        'temporal',
        'metrics',
        'tracing',
      ],
      'An activity does one side effect through the folders below it.',
    ),
    ...only(
      'media',
      ['domain'],
      'ffmpeg and the packager know files and the addresses that they are given.',
    ),
    ...only(
      'drm',
      ['domain', 'security', 'egress'],
      'Key providers and licence servers are outside addresses.',
    ),
    ...only('storage', ['domain'], 'Storage knows keys and bytes, not videos.'),
    ...only('egress', ['domain'], 'Nothing that the guard imports can weaken it.'),
    ...only('security', ['domain'], 'Cryptography on values, no storage.'),
    ...only('db', ['domain'], 'Rows and queries; commands decide what they mean.'),
    {
      name: 'commands-hold-the-writes',
      severity: 'error',
      comment:
        'A change of the record is a command: it locks, decides, writes, and appends its events in one transaction.',
      from: {
        pathNot: `${TESTS}|^(commands|db|test|bench|scripts)/|^(${WRITERS.join('|').replaceAll('.', '\\.')})$`,
      },
      to: { path: WRITES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'reads-do-not-write',
      severity: 'error',
      comment:
        'A file of db/ that uses a write is one itself, but for what changes the schema: `migrate` also settles restored rows.',
      from: { path: '^db/', pathNot: `${TESTS}|${WRITES}|^db/(migrate\\.ts$|migrations/|schema/)` },
      to: { path: WRITES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'backups-are-loaded-by-the-cli',
      severity: 'error',
      comment: 'These files copy whole tables, and make and drop databases.',
      from: { pathNot: `${TESTS}|^(db|test|bench|scripts)/|^cli/backup/` },
      to: { path: '^db/backup/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'credentials-have-one-writer',
      severity: 'error',
      comment:
        'Who replaces a password also decides about passkeys and sessions: one command does it, for every link.',
      from: { path: `^(${FOLDERS})/`, pathNot: `${TESTS}|^commands/members/credentials\\.ts$` },
      to: { path: '^db/members/write-credentials\\.ts$' },
    },
    {
      name: 'members-are-written-in-db',
      severity: 'error',
      comment:
        'Otherwise the password of a member could be written without `db/members/write-credentials.ts`.',
      from: { path: `^(${FOLDERS})/`, pathNot: `${TESTS}|^(db|test|bench)/` },
      to: { path: '^db/entities/member\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    ...only('temporal', ['domain'], 'Names and connections that both sides of Temporal share.'),
    ...only('sdk', [], 'The SDK is published alone: it knows the OpenAPI document and no more.'),
    ...only(
      'processes',
      ['domain', 'security', 'egress', 'db', 'temporal', 'metrics', 'tracing'],
      'What the start of every process shares.',
    ),
    {
      name: 'processes-start-without-temporal',
      severity: 'error',
      comment:
        'A server must start and work without Temporal, and without the memory that its client takes.',
      from: { path: '^processes/', pathNot: TESTS },
      to: { path: '^temporal/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    ...only('tracing', ['domain'], 'Spans, and how they leave; what they describe is passed in.'),
    {
      name: 'tracing-loads-on-demand',
      severity: 'error',
      comment: 'A process that sends no traces must not pay for the libraries that send them.',
      from: { pathNot: `${TESTS}|^tracing/(start-tracing|report-failures)\\.ts$` },
      to: {
        path: '^(tracing/start-tracing\\.ts$|node_modules/@opentelemetry/(?!api/))',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    ...only('metrics', [], 'What is measured, under which names; everything else only counts.'),
    {
      name: 'scripts-imports',
      severity: 'error',
      comment: 'Start-up scripts measure nothing and test nothing.',
      from: { path: '^scripts/', pathNot: TESTS },
      to: { path: '^(bench|test)/' },
    },
    {
      name: 'nothing-imports-scripts',
      severity: 'error',
      comment: 'Start-up stands above what it starts. What both need belongs in processes/.',
      from: { pathNot: `${TESTS}|^(scripts|bench|test)/` },
      to: { path: '^scripts/' },
    },
    {
      name: 'nothing-imports-bench',
      severity: 'error',
      comment: 'A benchmark is the outermost code.',
      from: { pathNot: '^bench/' },
      to: { path: '^bench/' },
    },
    {
      name: 'bench-imports',
      severity: 'error',
      comment: 'Benchmarks share the test infrastructure and fixtures, not the tests.',
      from: { path: '^bench/', pathNot: TESTS },
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'vitest-only-in-tests',
      severity: 'error',
      comment:
        'Vitest refuses to load outside a test run: a program that imports it does not start.',
      from: { path: '^(bench/main|test/(chaos|compose|fuzz|kubernetes|upgrade)/run)\\.ts$' },
      to: { path: '^vitest$', reachable: true },
    },
  ],
  options: {
    // Packages stay visible to the rules, but their files are not read.
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^\\.(cache|reelgate)|^test/fixtures/dashjs/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
