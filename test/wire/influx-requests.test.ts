import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { Clock } from '../../src/ports/clock.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { LabelMatcher, MetricStore, SampleWindows } from '../../src/ports/metric-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { fluxText } from '../support/flux-text.js'
import { expectGolden } from '../support/golden-file.js'
import { openRecordingServer, type RecordedRequest, type RecordingServer, type Reply } from '../support/recording-server.js'
import { openTempFolder } from '../support/temp-folder.js'
import { quietJobs } from '../support/quiet-jobs.js'

// UPDATE_GOLDEN=1 writes test/wire/influx/*.json again.
const DEDICATED = 'wirededicated01' as NamespaceId
const POOLED = 'wirepooled01' as NamespaceId
const NOON_NS = 1_795_176_000_000_000_000n
const DAY_MS = 86_400_000
const clock: Clock = { nowNs: () => NOON_NS, nowMs: () => Number(NOON_NS / 1_000_000n), monotonicMs: () => 0 }
const { signal: NEVER } = new AbortController()

/** An InfluxDB without buckets that stores nothing. */
function response({ method, path, body }: RecordedRequest): Reply {
  if (path === '/api/v2/orgs') return { status: 200, body: { orgs: [{ id: 'org1' }] } }
  if (path === '/api/v2/buckets' && method === 'GET') return { status: 404, body: { code: 'not found', message: 'none' } }
  if (path === '/api/v2/buckets')
    return { status: 201, body: { id: 'bucket1', retentionRules: (body as { retentionRules: object[] }).retentionRules } }
  return path === '/api/v2/query' ? { status: 200, body: '\r\n' } : { status: 204 }
}

function points(
  sketches: readonly (Partial<MetricPoint> & { readonly tags?: Readonly<Record<string, string>> })[]
): MetricPoint[] {
  return sketches.map(({ tags = {}, ...rest }, index) => {
    const labels = Object.keys(tags)
      .sort()
      .map(name => ({ name, value: tags[name]! }))
    return { index, name: 'cpu', type: 'gauge', labels, timestampNs: NOON_NS, value: 1, ...rest }
  })
}

const SERIES = points([
  { tags: { host: 'a', zone: 'eu', env: 'prod' }, value: 0.1 },
  { tags: { host: 'b', zone: 'eu', env: 'prod' }, value: -0, timestampNs: NOON_NS + 1n },
  { tags: { host: 'c, d=e', _value: 'x', time: '#1\n\\' }, name: 'mem, used=1', value: Number.NaN },
  { tags: { ÉCLAIR: '😀 100%' }, name: '#disk', value: Number.NEGATIVE_INFINITY, timestampNs: -1n }
])

type Send = (metrics: MetricStore, ns: NamespaceId) => Promise<unknown>

function select(...matchers: LabelMatcher[]): Send {
  const range = { startNs: -2n, endNs: NOON_NS + 3_600_000_000_000n }
  return (metrics, ns) => metrics.select(ns, { matchers, range, maxSeries: 10, maxSamples: 10 }, NEVER)
}

/** Windows of an hour's steps over a day. */
function selectWindows(windows: Partial<SampleWindows>): Send {
  const range = { startNs: NOON_NS - 86_400_000_000_000n, endNs: NOON_NS + 1_000_000n }
  const matchers = [{ name: '__name__', op: 'eq', value: 'cpu' }] as const
  const requested: SampleWindows = {
    ...{ firstEndMs: Number(range.startNs / 1_000_000n) + 300_000, stepMs: 3_600_000, lengthMs: 300_000, keep: 'last' },
    ...windows
  }
  return (metrics, ns) => metrics.select(ns, { matchers, range, maxSeries: 10, maxSamples: 10, windows: requested }, NEVER)
}

/** Lines one by one, and a query's tree as the program that it represents. */
function readable(body: unknown): unknown {
  if (typeof body === 'string') return body.split('\n')
  const { ast, ...rest } = body as { readonly ast?: unknown }
  return ast === undefined ? body : { ...rest, ast: fluxText(ast).split('\n') }
}

/** In this order: the first write makes the bucket. */
const CASES: Readonly<Record<string, Send>> = {
  'first-write': (metrics, ns) => metrics.append(ns, { ingestId: '01M7Y8P6R4JFKKZ3HXHP6QDNN1' as IngestId, items: SERIES }),
  'later-write': (metrics, ns) =>
    metrics.append(ns, { ingestId: '01M7Y8P6R4JFKKZ3HXHP6QDNN2' as IngestId, items: SERIES.slice(0, 1) }),
  'select-all': select(),
  'select-one-metric': select({ name: '__name__', op: 'eq', value: 'cpu' }),
  'select-one-series': select({ name: 'host', op: 'eq', value: 'c, d=e' }),
  'select-by-regex': select({ name: 'host', op: 'regex', value: 'a|b' }, { name: 'zone', op: 'not_regex', value: 'us.*' }),
  'select-by-absence': select({ name: 'host', op: 'eq', value: '' }),
  'select-windows-whole-rows': selectWindows({ keep: 'mean' }),
  'select-windows-of-an-hour': selectWindows({ keep: 'highest', lengthMs: 3_600_000, isTimeFree: true }),
  'select-windows-with-gaps': selectWindows({ isTimeFree: true }),
  'select-windows-with-times': selectWindows({}),
  'select-windows-of-the-first': selectWindows({ keep: 'first' }),
  'delete-before': (metrics, ns) => metrics.deleteBefore(ns, NOON_NS),
  'drop-namespace': (metrics, ns) => metrics.dropNamespace(ns)
}

describe.each([
  ['dedicated', DEDICATED, 1],
  ['pooled', POOLED, 0]
])('requests to InfluxDB for a namespace that is %s', (place, ns, maxDedicated) => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let control: ControlStore
  let server: RecordingServer
  let stores: Awaited<ReturnType<typeof openInfluxStores>>
  beforeAll(async () => {
    folder = await openTempFolder()
    control = await openSqliteControlStore({ file: `${folder.path}/control.db` })
    server = await openRecordingServer(response)
    stores = await openInfluxStores({
      jobs: quietJobs(),
      ...{ url: server.url, org: 'my org', token: 'secret', poolBucket: 'pool', clock, maxSeries: 10 },
      ...{ catalog: control.series, places: control.places, retentionOf: () => 30 * DAY_MS * 10_000 },
      limits: { maxDedicated, catalogRefreshMs: null }
    })
  })
  afterAll(async () => {
    await stores.close()
    await server.close()
    await control.close()
    await folder.remove()
  })

  it.each(Object.keys(CASES))('are as they were looked at: %s', async name => {
    await CASES[name]!(stores.metrics, ns)
    const requests = server.taken().map(request => ({ ...request, body: readable(request.body) }))
    expect(requests.length).toBeGreaterThan(0)
    expectGolden(new URL(`influx/${place}-${name}.json`, import.meta.url), requests)
  })
})
