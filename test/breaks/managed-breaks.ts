import type { Break } from './break.js'

const NODES = 'test/unit/stores/elasticsearch-nodes\\.test'
const KEYS = 'test/unit/ingest/idempotency\\.test'

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
    file: 'src/stores/server-watch.ts',
    find: '    if (this.#outage?.isSilent) throw this.#outage\n',
    replace: '',
    tests: 'test/unit/stores/server-watch\\.test'
  },
  {
    promise: 'an index that was deleted by hand is no empty answer',
    file: 'src/stores/elasticsearch/read/http-search-engine.ts',
    find: 'const STRICT = { ignore_unavailable: false }',
    replace: 'const STRICT = { ignore_unavailable: true }',
    tests: 'test/stores/elasticsearch-outages\\.test'
  }
]
