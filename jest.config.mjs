/**
 * Test files run as ES modules of Node, whose hooks compile the sources (test/runner, docs/adr/0052). All projects except
 * `unit` start processes and threads of the compiled service, so their scripts compile first.
 */
const common = {
  runtime: '<rootDir>/test/runner/runtime.cjs',
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  transform: {},
  // By which --onlyChanged finds the tests of a source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' }
}
const NOT_TESTS = ['/node_modules/', '/dist/']

const UNIT_TESTS = [
  '/test/unit/.*\\.test\\.ts$',
  '/test/agent/.*\\.test\\.ts$',
  '/test/bench/.*\\.test\\.ts$',
  '/test/console/unit/.*\\.test\\.ts$'
]

const CRASH_TESTS = ['/test/crash/.*\\.test\\.ts$']

// The adapters of servers, and gateways that share them. Cases without their server are skipped, and counted.
const SERVER_TESTS = [
  '/test/stores/(?!duckdb-|sqlite-|read-use-cases)[^/]*\\.test\\.ts$',
  '/test/(access|api)/gateway[^/]*\\.test\\.ts$'
]

// The console in a real browser.
const BROWSER_TESTS = ['/test/console/stories/.*\\.test\\.ts$']

// Twenty seconds and more each: whole folders of earlier formats, large traces, recipes against the compiled service, lost
// and damaged files, the cases of other projects, every page of the console in every state.
const SLOW_TESTS = [
  '/test/formats/upgrade\\.test\\.ts$',
  '/test/suites/(traces|suites|compliance)\\.test\\.ts$',
  '/test/stores/duckdb-(segments|lost-hot-file|scrub|free-columns)\\.test\\.ts$',
  '/test/api/(recipes-[^/]*|admin-verify|scripted-day)\\.test\\.ts$',
  '/test/console/stories/(states|states-alerts|states-settings|addresses|same-view)\\.test\\.ts$'
]

// What a stranger does in the console, from the first sign-in to a shared link.
const STORY = '/test/console/stories/stranger-mouse\\.test\\.ts$'

// Not run over real servers: tests of the embedded store, and tests that choose their own stores.
const NOT_MANAGED = [
  '/test/api/(aggregate|saved-measures-numbers)\\.test', // scripts, which the Elasticsearch that tests run lacks
  '/test/api/cardinality\\.test', // overflow aggregation, which is off with a shared database
  '/test/api/(admin|admin-verify|assign-patterns|damaged-results|log-redaction|lost-control|file-modes|recipes-[a-z-]+)\\.test', // files of a data folder
  '/test/api/(slow-bodies|unread-bodies|grpc-memory)\\.test', // bodies before any store
  '/test/api/gateway[a-z-]*\\.test', // several gateways on stores of their own choice
  '/test/api/openapi-examples\\.test', // reads back the times of its examples by a clock of its own
  '/test/api/process\\.test', // the compiled service, its start and its signals
  '/test/api/hostile-promql\\.test', // evaluates expressions that read no store
  '/test/api/otlp-retryable\\.test', // injects faults of its store
  '/test/suites/csv\\.test', // reads files, starts no service
  '/test/suites/promqltest\\.test' // evaluates over points of its own, starts no service
]

/** @param paths regular expressions of the paths of test files */
const project = (displayName, paths, ignored = []) => ({
  ...common,
  displayName,
  testRegex: paths,
  testPathIgnorePatterns: [...NOT_TESTS, ...ignored]
})

export default {
  projects: [
    project('unit', UNIT_TESTS),
    project(
      'embedded',
      ['/test/.*\\.test\\.ts$'],
      [...UNIT_TESTS, ...BROWSER_TESTS, ...CRASH_TESTS, ...SERVER_TESTS, ...SLOW_TESTS]
    ),
    project('browser', BROWSER_TESTS, SLOW_TESTS),
    project('crash', CRASH_TESTS),
    project('slow', SLOW_TESTS),
    project('servers', SERVER_TESTS),
    {
      // The whole-app suites once more, over real servers.
      ...project('managed', ['/test/(api|suites)/.*\\.test\\.ts$', STORY], NOT_MANAGED),
      testEnvironment: '<rootDir>/test/support/managed-environment.mjs'
    }
  ],
  reporters: ['default', '<rootDir>/test/support/count-reporter.mjs', '<rootDir>/test/support/hang-reporter.mjs'],
  testTimeout: 60000,
  // Most tests wait for a store process or a server half of their time.
  maxWorkers: 2,
  // Test files leave their own modules in the memory of the process that ran them.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: '<rootDir>/test/runner/sequencer.mjs',
  globalSetup: '<rootDir>/test/servers/jest-setup.mjs',
  globalTeardown: '<rootDir>/test/servers/jest-teardown.mjs'
}
