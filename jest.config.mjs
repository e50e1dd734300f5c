/** Jest runs the sources as ES modules; `npm test` compiles first, because tests of the real process start dist/. */
const common = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false }
        },
        module: { type: 'es6' }
      }
    ]
  }
}
const NOT_TESTS = ['/node_modules/', '/dist/']

// What is about the embedded store alone, or chooses its stores itself, is left out of the managed profile.
const NOT_MANAGED = [
  '/test/api/cardinality\\.test', // folds points, which gateways with a shared database do not
  '/test/api/(admin|admin-verify|damaged-answers|lost-control|file-modes|recipes-[a-z-]+)\\.test', // files of a data folder
  '/test/api/(slow-bodies|unread-bodies|grpc-memory)\\.test', // bodies before any store
  '/test/api/gateway[a-z-]*\\.test', // several gateways on stores of their own choice
  '/test/api/openapi-examples\\.test', // reads back the times of its examples by a clock of its own
  '/test/api/process\\.test', // the compiled service, its start and its signals
  '/test/api/hostile-promql\\.test', // evaluates what no store has to be asked for
  '/test/api/otlp-retryable\\.test', // plays the faults of its store
  '/test/suites/csv\\.test', // reads files, starts no service
  '/test/suites/promqltest\\.test' // evaluates over points of its own, starts no service
]

export default {
  projects: [
    {
      ...common,
      displayName: 'embedded',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: NOT_TESTS
    },
    {
      ...common,
      displayName: 'managed',
      testEnvironment: '<rootDir>/test/support/managed-environment.mjs',
      testMatch: ['<rootDir>/test/api/**/*.test.ts', '<rootDir>/test/suites/**/*.test.ts'],
      testPathIgnorePatterns: [...NOT_TESTS, ...NOT_MANAGED]
    }
  ],
  reporters: ['default', '<rootDir>/test/support/count-reporter.mjs'],
  testTimeout: 30000,
  // Most tests wait for a store process or a server half of their time.
  maxWorkers: 2,
  // Modules of each test file stay in the memory of the process that ran it: it is replaced before they fill it.
  workerIdleMemoryLimit: '1500MB',
  globalSetup: '<rootDir>/test/servers/jest-setup.mjs',
  globalTeardown: '<rootDir>/test/servers/jest-teardown.mjs'
}
