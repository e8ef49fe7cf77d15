const swc = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
  module: { type: 'es6' },
}

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>'],
  modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/.reelgate/'],
  testMatch: ['**/*.test.ts'],
  watchman: false,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  globalSetup: '<rootDir>/test/infrastructure/global-setup.ts',
  globalTeardown: '<rootDir>/test/infrastructure/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/infrastructure/second-try.ts'],
  testSequencer: '<rootDir>/test/infrastructure/slowest-first.cjs',
  // The first test that needs a service waits for its start, and twice as many files run as there are processors.
  testTimeout: 120_000,
  // On a busy machine a worker without open handles needs longer than the 500 ms of the default to end.
  workerGracefulExitTimeout: 10_000,
}
