import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import type { IngestId, KeyId, NamespaceId } from '../../../src/domain/ids.js'
import { recordId } from '../../../src/domain/ids.js'
import type { StoredLog } from '../../../src/domain/records/log.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../../src/domain/storage-plan.js'
import type { Principal } from '../../../src/domain/principal.js'
import { logsQueryRoutes } from '../../../src/http/routes/logs-query.js'
import type { LogStore } from '../../../src/ports/log-store.js'
import { CursorCodec } from '../../../src/query/cursor.js'
import { LogCorrelation } from '../../../src/query/log-correlation.js'
import { LogFields } from '../../../src/query/log-fields.js'
import { LogSearch } from '../../../src/query/log-search.js'
import { LargeReads } from '../../../src/query/large-reads.js'
import { QueryLimits } from '../../../src/query/query-limits.js'
import { DEFAULT_QUERY_SETTINGS, type QuerySettings } from '../../../src/query/settings.js'
import { MAX_STALL_MS } from '../../../src/http/stalled-reader.js'
import { ManualTime } from '../../support/manual-time.js'
import { serveRoutes, type ServedRoutes } from '../../support/serve-routes.js'
import { EMPTY_LOG } from '../../support/empty-log.js'
import { PatternList } from '../../../src/query/patterns/pattern-list.js'
import { PatternNames } from '../../../src/query/patterns/pattern-names.js'
import { NO_STREAMS } from '../../support/no-streams.js'
import { NO_PATTERNS } from '../../support/no-patterns.js'

const clock = { nowNs: () => 1_800_000_000_000_000_000n, nowMs: () => 1_800_000_000_000, monotonicMs: () => 0 }
const id = 'namespace01' as NamespaceId
const namespace: Namespace = {
  id,
  name: 'prod',
  kind: 'team',
  state: 'active',
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
}
const principal: Principal = { kind: 'key', keyId: 'k' as KeyId, keyKind: 'query', namespaces: [id], allowedOrigins: [] }

function log(index: number): StoredLog {
  const { index: _index, ...nothing } = EMPTY_LOG
  return {
    ...nothing,
    ...{ id: recordId('01ARZ3NDEKTSV4RRFFQ69G5FAV' as IngestId, index), ingestedAtMs: 0, timestampNs: clock.nowNs() - 1n },
    message: 'x'.repeat(10_000)
  }
}

/** Streams pages for as long as they are requested, and reports when they are closed; the failure may come at a page. */
class EndlessStore {
  pages = 0
  readonly closed: Promise<AbortSignal>
  failAtPage = Infinity
  #close: (signal: AbortSignal) => void = () => undefined

  constructor() {
    this.closed = new Promise(resolve => {
      this.#close = resolve
    })
  }

  async *stream(_ns: NamespaceId, _request: unknown, signal: AbortSignal): AsyncGenerator<readonly StoredLog[]> {
    try {
      for (;;) {
        this.pages++
        if (this.pages === this.failAtPage) throw new Error('the disk fell out')
        yield Array.from({ length: 100 }, (_, i) => log(this.pages * 100 + i))
      }
    } finally {
      this.#close(signal)
    }
  }
}

let served: ServedRoutes
let limits: QueryLimits
let time: ManualTime
let mayRead: boolean

async function serve(store: EndlessStore, settings: Partial<QuerySettings> = {}): Promise<void> {
  time = new ManualTime()
  mayRead = true
  const deps = {
    logs: store as unknown as LogStore,
    streams: NO_STREAMS,
    clock,
    cursors: new CursorCodec('a secret of at least thirty-two characters'),
    settings: { ...DEFAULT_QUERY_SETTINGS, ...settings }
  }
  limits = new QueryLimits({ ...deps, largeReads: new LargeReads() })
  const logSearch = new LogSearch(deps)
  served = await serveRoutes(app =>
    logsQueryRoutes(app, {
      ...{ logSearch, limits, logFields: new LogFields({ ...deps, search: logSearch }) },
      patternList: new PatternList({ ...deps, names: new PatternNames(NO_PATTERNS, clock) }),
      logCorrelation: new LogCorrelation({
        search: logSearch,
        links: { summaries: async () => [{ summary: null, ambiguity: null, warnings: [] }] },
        traceLogs: { shared: async () => [] }
      }),
      authenticator: { reader: async () => principal },
      authorizer: {
        readNamespace: async () => {
          if (mayRead) return namespace
          throw new GatewayError('expired_credential', 'the key has expired')
        }
      },
      timers: time
    })
  )
}

async function send(body: object = {}): Promise<IncomingMessage> {
  const requested = request(`${served.url}/api/v1/logs/query`, {
    method: 'POST',
    agent: false,
    headers: { accept: 'application/x-ndjson', 'content-type': 'application/json' }
  })
  requested.end(JSON.stringify(body))
  const [response] = (await once(requested, 'response')) as [IncomingMessage]
  return response
}

afterEach(() => served.close())

describe('a stream of logs', () => {
  it('reads no further than a slow reader takes it', async () => {
    const store = new EndlessStore()
    await serve(store)
    const response = await send()
    await once(response, 'readable')
    // Other requests are served meanwhile: the stream has had every chance to run on.
    for (let i = 0; i < 20; i++)
      await once(get(`${served.url}/api/v1/openapi.json`), 'response').then(([other]) => (other as IncomingMessage).resume())
    const taken = store.pages
    // A page is 1 MB; the socket's buffers at both ends hold a few of them.
    expect(taken).toBeLessThan(20)
    response.destroy()
    await store.closed
  })

  it('ends the query and frees its place when the reader goes away', async () => {
    const store = new EndlessStore()
    await serve(store, { runningPerPrincipal: 1 })
    const response = await send()
    expect(() => limits.admit(principal, id)).toThrow(/concurrent query limit/)
    response.destroy()
    await store.closed
    expect(() => limits.admit(principal, id)).not.toThrow()
  })

  it('ends the query and frees its place when the reader takes nothing for a minute', async () => {
    const store = new EndlessStore()
    await serve(store, { runningPerPrincipal: 1 })
    const response = await send()
    await time.dueIn(MAX_STALL_MS)
    const broken = expect(text(response)).rejects.toThrow('aborted')
    time.pass(MAX_STALL_MS)
    await broken
    await store.closed
    expect(() => limits.admit(principal, id)).not.toThrow()
  })

  it('ends when its reader may not read any more', async () => {
    const store = new EndlessStore()
    await serve(store)
    const response = await send()
    mayRead = false
    const body = await text(response)
    const last = JSON.parse(body.trimEnd().split('\n').at(-1)!)
    expect(last).toMatchObject({ complete: false, error: { code: 'expired_credential' } })
    await store.closed
  })

  it('reports in its last line what failed on the way', async () => {
    const store = new EndlessStore()
    store.failAtPage = 3
    await serve(store)
    const response = await send()
    const body = await text(response)
    const lines = body.trimEnd().split('\n')
    expect(response.statusCode).toBe(200)
    expect(lines).toHaveLength(201)
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ complete: false, count: 200, error: { code: 'internal', status: 500 } })
    expect(body).not.toContain('disk fell out')
  })

  it('responds to a fault before the first line with its own status', async () => {
    const store = new EndlessStore()
    store.failAtPage = 1
    await serve(store)
    const response = await send()
    response.resume()
    expect(response.statusCode).toBe(500)
    expect(limits.admit(principal, id)).toBeDefined()
  })

  it('stops the store at the limit that was requested', async () => {
    const store = new EndlessStore()
    await serve(store)
    const response = await send({ limit: 150 })
    const body = await text(response)
    expect(body.trimEnd().split('\n')).toHaveLength(151)
    await store.closed
    expect(store.pages).toBe(2)
  })
})
