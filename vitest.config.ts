import { availableParallelism } from 'node:os'
import { defineConfig, type Plugin } from 'vitest/config'
import { SlowestFirst } from './test/infrastructure/slowest-first.ts'

// A test file waits for browsers, servers and timers for more than half of its time. Each worker needs up to 1 GiB.
const WORKERS_PER_CPU = 2
const MAX_WORKERS = 8

/** Vitest passes Vite's conditions on to Node, `development` among them. The service resolves packages without it. */
const withConditionsOfNode: Plugin = {
  name: 'conditions-of-node',
  configResolved({ ssr }) {
    if (ssr.resolve) ssr.resolve.conditions = []
  },
}

export default defineConfig({
  plugins: [withConditionsOfNode],
  test: {
    include: process.env.TEST_FILES?.split('\n') ?? ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.cache/**', '**/.reelgate/**'],
    globalSetup: 'test/infrastructure/global-setup.ts',
    pool: 'forks',
    maxWorkers: Math.min(MAX_WORKERS, WORKERS_PER_CPU * availableParallelism()),
    // The files of a worker share its modules, as those of a process of the service do: loading them costs more than most
    // files take.
    isolate: false,
    // Node runs the tests as it runs the service, without a compiler in between.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: SlowestFirst },
    // In CI a test that fails gets a second try: a shared machine may stop for longer than a deadline. The report names
    // each such test, because it is a fault to be fixed. Elsewhere a test fails at once.
    retry: process.env.CI ? 1 : 0,
    // The first test that needs a service waits for its start, and twice as many files run as there are processors.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
