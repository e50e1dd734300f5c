import type { Break } from './break.js'

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
  }
]
