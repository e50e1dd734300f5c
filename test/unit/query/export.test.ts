import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import type { IngestId, KeyId, NamespaceId } from '../../../src/domain/ids.js'
import { parseRecordId, recordId } from '../../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import type { Principal } from '../../../src/domain/principal.js'
import type { StoredLog } from '../../../src/domain/records/log.js'
import type { SearchRequest, SearchResult } from '../../../src/domain/search.js'
import { DEFAULT_STORAGE } from '../../../src/domain/storage-plan.js'
import { MAX_STALL_MS } from '../../../src/http/stalled-reader.js'
import { exportsRoutes } from '../../../src/http/routes/exports.js'
import type { ExportLimits } from '../../../src/query/export/export-run.js'
import { ExportSlots, MAX_EXPORTS, MAX_EXPORTS_OF_NAMESPACE } from '../../../src/query/export/export-slots.js'
import { exportedLogs, exportedSpans } from '../../../src/query/export/exported-records.js'
import { RecordExport } from '../../../src/query/export/record-export.js'
import { LargeReads } from '../../../src/query/large-reads.js'
import { QueryLimits } from '../../../src/query/query-limits.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import { EMPTY_LOG } from '../../support/empty-log.js'
import { ManualTime } from '../../support/manual-time.js'
import { NO_STREAMS } from '../../support/no-streams.js'
import { serveRoutes, type ServedRoutes } from '../../support/serve-routes.js'

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
const ALL: ExportLimits = { maxRows: 1_000_000, maxMs: 600_000, pageMs: 30_000 }

/** A store of so many logs, all of one time, in the order of their ids. */
class CountedStore {
  readonly requests: SearchRequest[] = []
  failsAtPage = Infinity
  onPage: () => void = () => undefined
  readonly #rows: number
  readonly #chars: number

  constructor(rows: number, chars = 10) {
    this.#rows = rows
    this.#chars = chars
  }

  async search(_ns: NamespaceId, requested: SearchRequest): Promise<SearchResult<StoredLog>> {
    this.requests.push(requested)
    this.onPage()
    if (this.requests.length >= this.failsAtPage) throw new Error('the disk fell out')
    const { limit, after } = requested.rows!
    const from = after ? parseRecordId(after.id)!.index + 1 : 0
    const rows = Array.from({ length: Math.max(0, Math.min(limit, this.#rows - from)) }, (_, i) => this.#log(from + i))
    return { rows, hasMore: from + rows.length < this.#rows, complete: true, warnings: [] }
  }

  #log(index: number): StoredLog {
    const { index: _, ...nothing } = EMPTY_LOG
    const fresh = { id: recordId('01ARZ3NDEKTSV4RRFFQ69G5FAV' as IngestId, index), ingestedAtMs: 0 }
    return { ...nothing, ...fresh, timestampNs: 1_763_699_999_000_000_000n, message: 'x'.repeat(this.#chars) }
  }
}

let served: ServedRoutes
let time: ManualTime
let slots: ExportSlots

async function serve(store: CountedStore, limits: Partial<ExportLimits> = {}, access: () => void = () => undefined) {
  time = new ManualTime()
  slots = new ExportSlots()
  const deps = { clock: time, limits: { ...ALL, ...limits } }
  served = await serveRoutes(app =>
    exportsRoutes(app, {
      logExport: new RecordExport(exportedLogs(store, NO_STREAMS), deps),
      spanExport: new RecordExport(exportedSpans({ searchSpans: async () => ({ complete: true, warnings: [] }) }), deps),
      exportSlots: slots,
      timers: time,
      limits: new QueryLimits({ clock: time, settings: DEFAULT_QUERY_SETTINGS, largeReads: new LargeReads() }),
      authenticator: { reader: async () => principal },
      authorizer: {
        readNamespace: async () => {
          access()
          return namespace
        }
      }
    })
  )
}

async function send(body: object = {}): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json' }
  const requested = request(`${served.url}/api/v1/logs/export`, { method: 'POST', agent: false, headers })
  requested.end(JSON.stringify(body))
  const [response] = (await once(requested, 'response')) as [IncomingMessage]
  return response
}

/** All that arrived, and whether the response ended as it should. */
async function taken(response: IncomingMessage): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const parts: Buffer[] = []
  response.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined)
  await new Promise(resolve => response.once('close', resolve))
  return { text: Buffer.concat(parts).toString(), isWhole: response.complete }
}

function lastLine(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text.trimEnd().split('\n').at(-1)!) as Readonly<Record<string, unknown>>
}

afterEach(() => served.close())

describe('an export', () => {
  it('has each row once over all pages, and states rows and checksum at its end', async () => {
    const store = new CountedStore(5_000)
    await serve(store)
    const { text, isWhole } = await taken(await send({ order: 'asc' }))
    const lines = text.trimEnd().split('\n')
    const ids = lines.slice(0, -1).map(line => (JSON.parse(line) as { id: string }).id)
    expect(new Set(ids).size).toBe(5_000)
    const rows = lines.slice(0, -1).map(
      line => `${line}
`
    )
    const sha256 = createHash('sha256').update(rows.join('')).digest('hex')
    expect(lastLine(text)).toMatchObject({ complete: true, rows: 5_000, sha256, warnings: [] })
    expect(isWhole).toBe(true)
  })

  it('reads pages of about 4 MiB, however large the rows are', async () => {
    const store = new CountedStore(600, 100_000)
    await serve(store)
    await taken(await send())
    const [, second] = store.requests.map(({ rows }) => rows!.limit)
    expect(second).toBeLessThanOrEqual(41)
    expect(store.requests.every(({ rows }) => rows!.maxBytes === 4 * 1024 * 1024)).toBe(true)
  })

  it('reads no further than a slow reader takes it, and disconnects one that takes nothing', async () => {
    const store = new CountedStore(1_000_000, 10_000)
    await serve(store)
    const response = await send()
    await time.dueIn(MAX_STALL_MS)
    expect(store.requests.length).toBeLessThan(20)
    time.pass(MAX_STALL_MS)
    expect(await taken(response)).toMatchObject({ isWhole: false })
    expect(() => slots.take(id)()).not.toThrow()
  })

  it.each(['ndjson', 'csv', 'parquet'])(
    'breaks the connection of %s after an error, which its end states if it can',
    async format => {
      const store = new CountedStore(1_000)
      store.failsAtPage = 2
      await serve(store)
      const { text, isWhole } = await taken(await send({ format }))
      expect(isWhole).toBe(false)
      expect(text).not.toContain('disk fell out')
      expect(text).not.toMatch(/complete"?[:=]true/)
      expect(text.includes('PAR1', 4)).toBe(false)
      expect(slots.take(id)).toBeDefined()
    }
  )

  it('responds to an error before the first row with its own status, and gives its place back', async () => {
    const store = new CountedStore(1)
    store.failsAtPage = 1
    await serve(store)
    for (let i = 0; i <= MAX_EXPORTS_OF_NAMESPACE; i++) {
      const response = await send()
      response.resume()
      expect(response.statusCode).toBe(500)
    }
  })

  it('ends when the caller may not read any more', async () => {
    let calls = 0
    const revoke = (): void => {
      if (++calls > 2) throw new GatewayError('namespace_not_allowed', 'you are not a member any more')
    }
    await serve(new CountedStore(1_000_000), {}, revoke)
    const { text, isWhole } = await taken(await send())
    expect(isWhole).toBe(false)
    expect(text.split('\n').length).toBeLessThan(5_000)
  })

  it.each([
    [999, true],
    [1_000, true],
    [1_001, false]
  ])('with %i rows under a limit of 1000 states complete: %s', async (rows, complete) => {
    await serve(new CountedStore(rows), { maxRows: 1_000 })
    const { text } = await taken(await send())
    expect(lastLine(text)).toMatchObject({ complete, rows: Math.min(rows, 1_000) })
  })

  it('refuses a limit beyond its own', async () => {
    await serve(new CountedStore(1), { maxRows: 1_000 })
    const response = await send({ limit: 1_001 })
    response.resume()
    expect(response.statusCode).toBe(400)
  })

  it('reads no page after its time, and states that', async () => {
    const store = new CountedStore(1_000_000)
    await serve(store, { maxMs: 1_000 })
    store.onPage = () => time.pass(500)
    const { text, isWhole } = await taken(await send({ format: 'csv' }))
    expect(isWhole).toBe(true)
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^# complete=false rows=2200 .*the time limit of 1 s was reached/)
  })

  it('is refused while others run, beyond two of a namespace and eight in all', () => {
    const all = new ExportSlots()
    const held = Array.from({ length: MAX_EXPORTS_OF_NAMESPACE }, () => all.take(id))
    expect(() => all.take(id)).toThrow(/2 exports of this namespace are running, the limit is 2/)
    held[0]!()
    held[0]!()
    held[0] = all.take(id)
    expect(() => all.take(id)).toThrow(/limit is 2/)
    for (let i = held.length; i < MAX_EXPORTS; i++) all.take(`other${i}` as NamespaceId)
    expect(() => all.take('another' as NamespaceId)).toThrow(/8 exports are running, the limit is 8/)
  })
})
