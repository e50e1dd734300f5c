import type { Break } from './break.js'

const RECOGNITION = 'test/unit/ingest/(recognize-log|logger-shapes|log-time|log-readings|log-overrides)\\.test'
const GRAPHQL = 'test/api/graphql-protocol\\.test'

/** What routes that take telemetry or GraphQL promise their clients. */
export const DOORS: readonly Break[] = [
  {
    promise: 'a date of the business refuses no record',
    file: 'src/ingest/recognize-log/recognize-log.ts',
    find: 'if (this.#isOtherDate(hit, time.ns)) {',
    replace: 'if (this.#isOtherDate(hit, 0n) && time.ns < 0n) {',
    tests: RECOGNITION
  },
  {
    promise: 'a byte order mark in front of JSON is skipped',
    file: 'src/domain/byte-order-mark.ts',
    find: '? bytes.subarray(3) : bytes',
    replace: '? bytes : bytes',
    tests: 'test/unit/http/json-parser\\.test'
  },
  {
    promise: 'the status of a job or an order is not a level',
    file: 'src/ingest/recognize-log/read-level.ts',
    find: ' && !OUTCOME.test(value)',
    replace: '',
    tests: RECOGNITION
  },
  {
    promise: 'a number that is not a known level is replaced by a name of the level',
    file: 'src/ingest/parse-log.ts',
    find: " && !isUnknownNumber(raw['level'])",
    replace: '',
    tests: RECOGNITION
  },
  {
    promise: 'every write route follows the query parameter namespace',
    file: 'src/http/routes/ingest-route.ts',
    find: "    queryNamespace: queryParameter(req, 'namespace'),\n",
    replace: '    queryNamespace: undefined,\n',
    tests: 'test/api/write-namespaces\\.test'
  },
  {
    promise: 'no write is stored where its request also names another namespace',
    file: 'src/ingest/resolve-namespace.ts',
    find: '    requireSame(namespace, request.headerNamespaceId)\n',
    replace: '',
    tests: 'test/api/write-namespaces\\.test'
  },
  {
    promise: 'a key of kind rum has one namespace',
    file: 'src/access/api-key-service.ts',
    find: "if (kind === 'rum' && found.size > 1) {",
    replace: "if (kind === 'rum' && found.size > 2) {",
    tests: 'test/access/api-keys\\.test'
  },
  {
    promise: 'a page of no rows has no cursor',
    file: 'src/query/list-page.ts',
    find: 'hasMore && this.limit > 0 ?',
    replace: 'hasMore ?',
    tests: 'test/unit/query/cursor\\.test'
  },
  {
    promise: 'a minute has a sixty-first second only where a leap second can be',
    file: 'src/domain/timestamp.ts',
    find: '  if (second === 60 && !isLeapSecondNext(seconds - 1)) return null\n',
    replace: '',
    tests: 'test/unit/domain/timestamp\\.test'
  },
  {
    promise: 'a JSON client that sends GET to GraphQL gets no HTML',
    file: 'src/http/graphql.ts',
    find: 'if (page !== null && named === HTML)',
    replace: 'if (page !== null)',
    tests: GRAPHQL
  },
  {
    promise: 'a subscription is not valid instead of a fault',
    file: 'src/http/graphql-gate.ts',
    find: 'document.definitions.some(isSubscription)',
    replace: 'document.definitions.length === 0',
    tests: GRAPHQL
  },
  {
    promise: 'a member of a log that is not used stays in its fields',
    file: 'src/ingest/recognize-log/log-part.ts',
    find: '      out = gatherAlso(out, key, value)\n',
    replace: '      out = gather(out, key, value)\n',
    tests: RECOGNITION
  },
  {
    promise: 'a number that is not a time of these decades stays a field',
    file: 'src/ingest/recognize-log/read-time.ts',
    find: 'time.ns >= FIRST_PLAUSIBLE_NS',
    replace: 'time.ns >= 0n',
    tests: RECOGNITION
  },
  {
    promise: 'decimal seconds keep the digits that a double has no room for',
    file: 'src/wire/json/lossless-json.ts',
    find: ' || isUnsafeTime(bytes, i, end)',
    replace: '',
    tests: RECOGNITION
  }
]
