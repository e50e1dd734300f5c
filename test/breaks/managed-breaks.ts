import type { Break } from './break.js'

const NODES = 'test/unit/stores/elasticsearch-nodes\\.test'
const ASSIGNMENT = 'test/unit/stores/elasticsearch-pattern-assignment\\.test'
const BUCKETS = 'test/stores/influx-losses\\.test'
const KEYS = 'test/threads/idempotency\\.test'

/** What must hold before managed stores and several gateways. */
export const MANAGED: readonly Break[] = [
  {
    promise: 'an Idempotency-Key outlasts a full spool',
    file: 'src/ingest/idempotency.ts',
    find: "  'overloaded',\n",
    replace: '',
    tests: KEYS
  },
  {
    promise: 'an attempt frees only the Idempotency-Key that it reserved',
    file: 'src/ingest/idempotency.ts',
    find: 'if (isOwn && isRefusal(error)) {',
    replace: 'if (isRefusal(error)) {',
    tests: KEYS
  },
  {
    promise: 'a change of an Idempotency-Key meets no reservation that came later',
    file: 'src/stores/control/idempotency-keys.ts',
    find: "deleteFrom('idempotency').where('scope', '=', scope).where('ingest_id', '=', ingestId)",
    replace: "deleteFrom('idempotency').where('scope', '=', scope)",
    tests: 'test/stores/sqlite-control\\.test'
  },
  {
    promise: 'indices of earlier versions get new fields before anything is written to them',
    file: 'src/stores/elasticsearch/index/write-targets.ts',
    find: '    await this.#mapped()\n',
    replace: '',
    tests: 'test/stores/elasticsearch-mappings\\.test'
  },
  {
    promise: 'a read goes on to another node',
    file: 'src/stores/elasticsearch/client/engine-client.ts',
    find: '  return isRead && (isLostConnection(error) || error instanceof ServerOutage)\n',
    replace: '  return false && isRead\n',
    tests: NODES
  },
  {
    promise: 'a write that may have arrived goes to no other node',
    file: 'src/stores/elasticsearch/client/engine-client.ts',
    find: '  return isRead && (isLostConnection',
    replace: '  return (isLostConnection',
    tests: NODES
  },
  {
    promise: 'a server that is silent is refused at once',
    file: 'src/stores/shared/server-watch.ts',
    find: '    if (this.#outage?.isSilent) throw this.#outage\n',
    replace: '',
    tests: 'test/unit/stores/server-watch\\.test'
  },
  {
    promise: 'an index that was deleted by hand is not an empty result',
    file: 'src/stores/elasticsearch/read/http-search-engine.ts',
    find: 'const STRICT = { ignore_unavailable: false }',
    replace: 'const STRICT = { ignore_unavailable: true }',
    tests: 'test/stores/elasticsearch-outages\\.test'
  },
  {
    promise: 'a bucket that was deleted by hand is not an empty result',
    file: 'src/stores/influxdb/read/metric-reader.ts',
    find: '        await losses.meet(ns, place.bucket)\n',
    replace: '',
    tests: BUCKETS
  },
  {
    promise: 'the loss of a bucket is noted before a write makes it again',
    file: 'src/stores/influxdb/places/bucket-places.ts',
    find: '() => losses.noteLost(known.bucket)',
    replace: '() => Promise.resolve()',
    tests: BUCKETS
  },
  {
    promise: 'a series that one gateway acknowledged is known on the others within 2 s',
    file: 'src/stores/influxdb/series/series-registry.ts',
    find: "if (change.kind === 'series') this.#fallBehind(change.namespaceId)",
    replace: '',
    tests: 'test/api/gateways-truth\\.test'
  },
  {
    promise: 'a response of InfluxDB that ends early is incomplete',
    file: 'src/stores/influxdb/read/annotated-csv.ts',
    find: "    if (!this.#isWhole) throw broken('the final empty line is missing')\n",
    replace: '',
    tests: 'test/unit/stores/influx-csv\\.test'
  },
  {
    promise: 'a copy of a data folder is another gateway',
    file: 'src/stores/assemble/gateway-id.ts',
    find: "const id = randomBytes(BYTES).toString('hex')",
    replace: "const id = earlier[0] ?? randomBytes(BYTES).toString('hex')",
    tests: 'test/unit/stores/shared-waiting\\.test'
  },
  {
    promise: 'a gateway whose counts were withdrawn publishes them again',
    file: 'src/stores/assemble/shared-waiting.ts',
    find: '(counts.length === 0 || (await board.keptOf(gateway.id)) === counts.length)',
    replace: '(counts.length >= 0)',
    tests: 'test/unit/stores/shared-waiting\\.test'
  },
  {
    promise: 'health closes the circuit when nothing waits that could find out',
    file: 'src/stores/spool/open-spool.ts',
    find: 'circuit.mayTry()) circuit.succeeded()',
    replace: 'circuit.mayTry()) circuit.abandoned()',
    tests: 'test/unit/stores/spool/spooled\\.test'
  },
  {
    promise: 'results name what waited before their read began',
    file: 'src/query/gaps-around.ts',
    find: 'const before = look() ?? []',
    replace: 'const before: readonly string[] = []',
    tests: 'test/unit/query/gaps-around\\.test'
  },
  {
    promise: 'indices are deleted by their names alone',
    file: 'src/stores/elasticsearch/client/engine-client.ts',
    find: '    requireNames(call)\n',
    replace: '',
    tests: NODES
  },
  {
    promise: 'a document gets its pattern only in place of the state that was read',
    file: 'src/stores/elasticsearch/upkeep/pattern-assignment.ts',
    find: 'if_seq_no: place, ',
    replace: '',
    tests: ASSIGNMENT
  },
  {
    promise: 'only documents of the namespace are read to get a pattern',
    file: 'src/stores/elasticsearch/upkeep/pattern-assignment.ts',
    find: '{ ...target, indices: [part] }',
    replace: '{ ...target, mandatory: [], indices: [part] }',
    tests: ASSIGNMENT
  },
  {
    promise: 'a document that gets a pattern is found by all that it was found by',
    file: 'src/stores/elasticsearch/document/log-with-pattern.ts',
    find: 'hasTrigrams)}}',
    replace: 'hasTrigrams).slice(0, 0)}}',
    tests: 'test/unit/stores/elasticsearch-log-with-pattern\\.test'
  }
]
