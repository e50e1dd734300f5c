import type { Break } from './break.js'

/** What large reads and searches of traces promise. */
export const READS: readonly Break[] = [
  {
    promise: 'a namespace holds one large trace at a time',
    file: 'src/query/large-reads.ts',
    find: 'mostOfOne: 1 }',
    replace: 'mostOfOne: 3 }',
    tests: 'test/unit/query/large-reads\\.test'
  },
  {
    promise: 'one slice of large reads runs in an iteration of the event loop',
    file: 'src/threads/event-loop-slices.ts',
    find: 'this.#waiting.shift()?.()',
    replace: 'for (const go of this.#waiting.splice(0)) go()',
    tests: 'test/unit/threads/event-loop-slices\\.test'
  },
  {
    promise: 'a slice of a large read ends after two milliseconds',
    file: 'src/threads/event-loop-slices.ts',
    find: 'while (this.#clock.monotonicMs() < endMs)',
    replace: 'while (endMs > 0)',
    tests: 'test/unit/threads/event-loop-slices\\.test'
  },
  {
    promise: 'a large trace is refused as a small one before anything of it is converted',
    file: 'src/stores/duckdb/read/read-trace.ts',
    find: 'count += chunk.rowCount',
    replace: 'count += (await chunk.rows()).length',
    tests: 'test/stores/duckdb-read-trace\\.test'
  },
  {
    promise: 'of spans that were sent again the last copies are read',
    file: 'src/stores/duckdb/read/read-trace.ts',
    find: 'stored.copies === stored.spans && ',
    replace: '',
    tests: 'test/stores/duckdb-read-trace\\.test'
  },
  {
    promise: 'a facet has cells for each filter',
    file: 'src/stores/duckdb/read/segment-memory.ts',
    find: '[field.in, field.name, filter, options]',
    replace: '[field.in, field.name, options]',
    tests: 'test/stores/duckdb-facet-cells\\.test'
  },
  {
    promise: 'a cell counts a segment that the range has whole',
    file: 'src/stores/duckdb/read/segment-memory.ts',
    find: ' && minNs >= startNs && maxNs < endNs',
    replace: ' && minNs < endNs && maxNs >= startNs',
    tests: 'test/stores/duckdb-facet-cells\\.test'
  },
  {
    promise: 'an estimated percentile is within its error',
    file: 'src/stores/duckdb/read/number-bins.ts',
    find: 'place > 1 && place < BINS',
    replace: 'place >= 1',
    tests: 'test/stores/duckdb-spreads\\.test'
  },
  {
    promise: 'long lists of GraphQL are resolved in slices',
    file: 'src/http/graphql-slices.ts',
    find: 'if (items.length < MIN_ITEMS) return items',
    replace: 'if (items.length >= 0) return items',
    tests: 'test/unit/http/graphql-slices\\.test'
  },
  {
    promise: 'an exception of nested spans of a request counts once',
    file: 'src/ingest/exception-occurrences.ts',
    find: '!== true)',
    replace: '!== undefined || true)',
    tests: 'test/unit/ingest/span-errors\\.test'
  },
  {
    promise: 'an exception of nested spans of several requests counts once',
    file: 'src/stores/duckdb/read/error-groups.ts',
    find: 'count(*) FILTER (is_innermost)',
    replace: 'count(*)',
    tests: 'test/stores/duckdb-nested-exceptions\\.test'
  },
  {
    promise: 'spans are found by attributes of their events and links',
    file: 'src/stores/duckdb/read/field-target.ts',
    find: "if (field.in === 'free') return [lists.events, lists.links]",
    replace: "if (field.in === 'free') return []",
    tests: 'test/stores/duckdb-traces\\.test'
  },
  {
    promise: 'a service map reports that it left calls out',
    file: 'src/stores/duckdb/read/service-edges.ts',
    find: 'complete: isComplete',
    replace: 'complete: isComplete || true',
    tests: 'test/stores/duckdb-traces\\.test'
  },
  {
    promise: 'an id of 64 bits that several traces share is never one of them',
    file: 'src/query/traces/trace-reading.ts',
    find: 'if (another !== undefined) throw',
    replace: 'if (another === null) throw',
    tests: 'test/api/short-trace-ids\\.test'
  },
  {
    promise: 'a search store reports that it does not find spans of earlier versions by 64 bits',
    file: 'src/stores/elasticsearch/read/trace-suffixes.ts',
    find: 'complete: !isMissing',
    replace: 'complete: isMissing || true',
    tests: 'test/unit/stores/elasticsearch-trace-suffixes\\.test'
  },
  {
    promise: 'search is case-insensitive beyond what the engine lowers',
    file: 'src/domain/case-folding.ts',
    find: '  if (!NOT_ASCII.test(text)) return text.toLowerCase()\n',
    replace: '  if (text !== "") return text.toLowerCase()\n',
    tests: 'test/stores/duckdb-contract\\.test|test/unit/case-folding'
  },
  {
    promise: 'rows in none of the listed groups are measured once, whatever the number of their groups',
    file: 'src/stores/duckdb/read/aggregate-rows.ts',
    find: 'const grouped = without === undefined ? withEachGroup(apart, keys) : apart',
    replace: 'const grouped = withEachGroup(apart, keys)',
    tests: 'test/stores/duckdb-reader-contract\\.test'
  },
  {
    promise: 'a record counts once in a group, however many numbers it has',
    file: 'src/stores/duckdb/read/aggregate-columns.ts',
    find: "isExpanded ? ' FILTER (n = 1)' : ''",
    replace: "''",
    tests: 'test/stores/duckdb-reader-contract\\.test'
  },
  {
    promise: 'one aggregation of a namespace runs at a time',
    file: 'src/query/aggregate/aggregation.ts',
    find: '    await this.#largeReads.enter(ns.id, 0, signal)\n',
    replace: '',
    tests: 'test/unit/query/aggregation\\.test'
  },
  {
    promise: 'a read knows what was sealed since the read before it',
    file: 'src/stores/duckdb/segments/known-manifest.ts',
    find: '      this.#known.clear()\n',
    replace: '',
    tests: 'test/stores/duckdb-snapshots\\.test'
  },
  {
    promise: 'what was read of the manifest during a change is not kept',
    file: 'src/stores/duckdb/segments/known-manifest.ts',
    find: 'if (changes === this.#changes) this.#known.set',
    replace: 'if (changes <= this.#changes) this.#known.set',
    tests: 'test/unit/stores/duckdb-known-manifest\\.test'
  },
  {
    promise: 'a table that takes appends is read once a namespace has rows in it',
    file: 'src/stores/duckdb/write/hot-tables.ts',
    find: '    table.namespaces.add(ns)\n',
    replace: '',
    tests: 'test/stores/duckdb-snapshots\\.test'
  },
  {
    promise: 'a facet is counted from a page that has all rows, and from no other',
    file: 'src/stores/duckdb/read/search.ts',
    find: 'hasMore || after !== undefined ? null',
    replace: 'hasMore ? null',
    tests: 'test/stores/duckdb-page-facets\\.test'
  },
  {
    promise: 'a number that equals a bound is in the interval behind it',
    file: 'src/stores/duckdb/read/distributions.ts',
    find: 'request.bounds.map(lastBelow)',
    replace: 'request.bounds',
    tests: 'test/stores/duckdb-contract\\.test'
  }
]
