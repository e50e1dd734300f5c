import { expect, it } from '@jest/globals'
import type { LogStore } from '../../../src/ports/log-store.js'
import { CursorCodec } from '../../../src/query/cursor.js'
import { LogFields } from '../../../src/query/log-fields.js'
import { LogSearch } from '../../../src/query/log-search.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import { HttpSearchEngine, type Requester } from '../../../src/stores/elasticsearch/read/http-search-engine.js'
import { logReader } from '../../../src/stores/elasticsearch/read/readers.js'
import { systemClock } from '../../../src/telemetry/system-clock.js'
import { namespace } from '../../contract/control-fixtures.js'
import { NEVER } from '../../contract/fresh-ids.js'
import { NO_STREAMS } from '../../support/no-streams.js'

const ROWS = 100
const SHARDS = { total: 1, successful: 1 }

interface Body {
  readonly size: number
  readonly aggs?: Readonly<Record<string, object>>
}

/** Logs with a field of few strings, one of few lists, and one of many numbers, newest first. */
const HITS = Array.from({ length: ROWS }, (_, i) => ({
  _source: {
    '@timestamp': new Date(1_700_000_000_000 - i).toISOString(),
    id: String(i),
    log_fields: { region: i % 2 === 0 ? 'eu' : 'us', labels: [`a${i % 12}`, 'b'], ms: (i * 37) % ROWS }
  }
}))

/** Of each facet more values than are listed, and records with several of them. */
function counted(aggs: Readonly<Record<string, object>>): object {
  const values = {
    buckets: Array.from({ length: 12 }, (_, i) => ({ key: `${'p'.repeat(60)}${i}`, doc_count: 20 })),
    sum_other_doc_count: 0
  }
  return Object.fromEntries(Object.keys(aggs).map(name => [name, { doc_count: ROWS, values, present: { doc_count: ROWS } }]))
}

it('counts automatic facets by one request for the choice, one for the values, one for records with several of them', async () => {
  const sent: Body[] = []
  const client: Requester = {
    request: async ({ body }) => {
      const { size, aggs } = body as Body
      sent.push(body as Body)
      const hits = { hits: aggs === undefined ? HITS.slice(0, size) : [] }
      return { status: 200, body: { _shards: SHARDS, hits, ...(aggs && { aggregations: counted(aggs) }) } }
    }
  }
  const engine = new HttpSearchEngine(client, { timeoutMs: 1_000, maxResponseBytes: 1_000_000 }, null)
  const target = { indices: ['logs-1'], mandatory: [], search: 'exact' as const }
  const logs = logReader({ engine, targets: { of: () => Promise.resolve(target) } }) as unknown as LogStore
  const deps = { logs, streams: NO_STREAMS, clock: systemClock, settings: DEFAULT_QUERY_SETTINGS }
  const cursors = new CursorCodec('a secret of at least thirty-two characters')
  const fields = new LogFields({ ...deps, search: new LogSearch({ ...deps, cursors }) })
  const { facets, spreads } = await fields.facets(namespace('shop'), { conditions: {}, limit: 3 }, NEVER)
  expect(facets.map(({ field }) => field)).toEqual(expect.arrayContaining(['service', 'log_fields.region', 'log_fields.labels']))
  expect(spreads.map(({ field }) => field)).toEqual(['log_fields.ms'])
  expect(sent.map(({ aggs = {} }) => Object.keys(aggs).some(name => name.startsWith('spread')))).toEqual([false, true, false])
})
