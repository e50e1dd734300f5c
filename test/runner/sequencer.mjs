import Sequencer from '@jest/test-sequencer'

/**
 * The files of half a minute and more, longest first. Started last, such a file leaves the other core idle at the end. Jest
 * orders by the times of the last run, which a fresh checkout has not.
 */
const LONGEST = [
  'test/stores/duckdb-contract',
  'test/stores/duckdb-lost-hot-file',
  'test/console/stories/states',
  'test/stores/duckdb-process',
  'test/stores/duckdb-traces',
  'test/stores/duckdb-damaged-segments',
  'test/api/isolation-graphql',
  'test/api/isolation',
  'test/api/admin',
  'test/api/admin-verify',
  'test/suites/suites',
  'test/console/stories/same-view',
  'test/stores/duckdb-append',
  'test/stores/sqlite-control',
  'test/stores/duckdb-scrub'
].map(path => `/${path}.test.ts`)

function rank({ path }) {
  const at = LONGEST.findIndex(end => path.endsWith(end))
  return at < 0 ? LONGEST.length : at
}

/** Starts the longest files first and leaves the order of the others to Jest. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b))
  }
}
