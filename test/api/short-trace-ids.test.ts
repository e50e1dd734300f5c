import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { exportedTraces, type SketchedSpan } from '../support/exported-traces.js'
import { type RunningService, startService } from '../support/running-service.js'

/** Half an hour ago, so that all is in the default window. */
const BASE_MS = Math.floor(Date.now() / 1000) * 1000 - 1_800_000

// Each name is the last 16 digits that its traces share.
const PAID = '00f067aa0ba902b7'
const TWINS = 'a2fb4a1d1a96d312'
const CROWD = 'b7ad6b7169203331'
const NARROW = 'c00000000000c0de'
const THEIRS = 'd00000000000d00d'
const APART = 'e00000000000face'
const FIVE_HOURS_MS = 18_000_000
const ZEROS = '0'.repeat(16)
const wide = (n: number, low: string): string => `4bf92f3577b34d0${n}${low}`
const CROWD_IDS = Array.from({ length: 12 }, (_, i) => `${(i + 1).toString(16).padStart(16, '1')}${CROWD}`)

const span = (trace: string, id: number, at = 0): SketchedSpan => ({
  ...{ trace, id, at, took: 100, name: `work ${id}`, service: 'web', kind: 2 }
})
const SPANS = [
  span(wide(1, PAID), 1),
  span(wide(1, TWINS), 1),
  span(wide(2, TWINS), 1),
  span(wide(2, TWINS), 2),
  span(ZEROS + NARROW, 1),
  span(wide(1, APART), 1),
  span(wide(2, APART), 1, -FIVE_HOURS_MS),
  ...CROWD_IDS.map(trace => span(trace, 1))
]
const THEIR_SPANS = [span(wide(9, PAID), 1), span(wide(9, THEIRS), 1), span(wide(9, NARROW), 1)]

interface Log {
  readonly trace_id: string
  readonly span_id?: string
  readonly message: string
}
const spanId = (n: number): string => n.toString(16).padStart(16, '0')
const LOGS: readonly Log[] = [
  { trace_id: PAID, span_id: spanId(1), message: 'paid short' },
  { trace_id: ZEROS + PAID, message: 'paid padded' },
  { trace_id: wide(1, PAID), message: 'paid wide' },
  { trace_id: TWINS, span_id: spanId(2), message: 'twins short' },
  { trace_id: wide(2, TWINS), message: 'twins wide' },
  { trace_id: NARROW, message: 'narrow short' },
  { trace_id: THEIRS, message: 'of another trace' }
]

let service: RunningService
let user: { readonly authorization: string }

async function send(path: string, headers: Record<string, string>, json: object): Promise<void> {
  const sent = await service.api(path, { method: 'POST', headers, json })
  expect([sent.status, sent.text.slice(0, 300)]).toEqual([200, expect.anything()])
}

async function store(headers: Record<string, string>, spans: readonly SketchedSpan[], logs: readonly Log[]): Promise<void> {
  await send('/api/v1/otlp/v1/traces', headers, exportedTraces(spans, BASE_MS))
  const placed = logs.map((log, i) => ({ ...log, service: 'web', timestamp: `${BASE_MS + i}000000` }))
  await send('/api/v1/logs/batch?ack=searchable', headers, { logs: placed })
}

beforeAll(async () => {
  service = await startService({ flags: ['--rate-queries', '100000'] })
  user = await service.login()
  const made = await service.api('/api/v1/namespaces', { method: 'POST', headers: user, json: { name: 'their-shop' } })
  const key = { name: 'k', kind: 'ingest', namespaces: [made.json['id']] }
  const theirs = await service.api('/api/v1/keys', { method: 'POST', headers: user, json: key })
  await store({ 'x-api-key': service.first.ingestKey }, SPANS, LOGS)
  await store({ 'x-api-key': String(theirs.json['key']) }, THEIR_SPANS, [
    { trace_id: PAID, message: 'of another namespace' },
    { trace_id: wide(1, PAID), message: 'of another namespace' }
  ])
  await service.settle()
}, 60_000)
afterAll(() => service?.close())

async function get(path: string): Promise<CheckedResponse> {
  return service.api(`${path}${path.includes('?') ? '&' : '?'}namespace=${service.first.namespace}`, { headers: user })
}

interface GraphqlError {
  readonly message: string
  readonly extensions: { readonly code: string; readonly suggestions?: readonly string[] }
}
interface GraphqlResult {
  readonly data: Record<string, unknown> | null
  readonly errors?: readonly GraphqlError[]
}
async function graphql(query: string): Promise<GraphqlResult> {
  const headers = { ...user, 'x-namespace-id': service.first.namespaceId }
  const response = await service.api('/graphql', { method: 'POST', headers, json: { query } })
  return response.json as unknown as GraphqlResult
}

const ONLY = `no trace with the id ${ZEROS + PAID} is stored; ${wide(1, PAID)} is the only one found with the same last 16 digits`
const TWIN_IDS = [wide(1, TWINS), wide(2, TWINS)]

describe('a trace that is requested by 64 bits', () => {
  it.each([PAID, PAID.toUpperCase(), 'f067aa0ba902b7', ZEROS + PAID])('is found by %s over REST and GraphQL', async id => {
    const { json } = await get(`/api/v1/traces/${id}`)
    expect(json).toMatchObject({ trace_id: wide(1, PAID), span_count: 1, warnings: [ONLY], logs: { total: 3 } })
    const { data } = await graphql(`{ trace(traceId: "${id}") { traceId warnings logCount } }`)
    expect(data).toEqual({ trace: { traceId: wide(1, PAID), warnings: [ONLY], logCount: 3 } })
  })

  it('is the one with exactly this id where there is one', async () => {
    expect((await get(`/api/v1/traces/${NARROW}`)).json).toMatchObject({ trace_id: ZEROS + NARROW, warnings: [] })
    expect((await get(`/api/v1/traces/${wide(1, PAID)}`)).json).toMatchObject({ trace_id: wide(1, PAID), warnings: [] })
  })

  it('is never a trace of another namespace, where the same id finds it', async () => {
    const own = await service.api(`/api/v1/traces/${THEIRS}?namespace=their-shop`, { headers: user })
    expect([own.status, own.json['trace_id']]).toEqual([200, wide(9, THEIRS)])
    for (const id of [THEIRS, ZEROS + THEIRS, wide(9, PAID)]) {
      const response = await get(`/api/v1/traces/${id}`)
      expect([id, response.status]).toEqual([id, 404])
      expect((await graphql(`{ trace(traceId: "${id}") { traceId } }`)).data).toEqual({ trace: null })
    }
    const logs = await graphql(`{ logs(range: { from: "now-1h", to: "now" }, filter: { traceId: "${THEIRS}" }) {
      nodes { trace { traceId } } } }`)
    expect(logs.data).toEqual({ logs: { nodes: [{ trace: null }] } })
  })

  it('is refused with the ids it may mean when there are several', async () => {
    const response = await get(`/api/v1/traces/${TWINS}`)
    expect(response.json).toMatchObject({ status: 400, code: 'invalid_field', suggestions: TWIN_IDS })
    expect(response.json['detail']).toBe(
      `2 traces have the last 16 digits of ${ZEROS + TWINS}: ${TWIN_IDS.join(', ')}; request one of them with all 32 digits`
    )
    const { data, errors } = await graphql(`{ trace(traceId: "${TWINS}") { traceId } }`)
    expect([data, errors?.[0]?.extensions]).toMatchObject([{ trace: null }, { code: 'invalid_field', suggestions: TWIN_IDS }])
  })

  it('is refused with ten of the ids it may mean when there are more', async () => {
    const { json } = await get(`/api/v1/traces/${CROWD}`)
    expect(json['suggestions']).toEqual(CROWD_IDS.slice(0, 10))
    expect(json['detail']).toContain('more than 10 traces have the last 16 digits')
  })

  it('is the one that ran at the time that the query states', async () => {
    for (const [id, atMs] of [
      [wide(1, APART), BASE_MS],
      [wide(2, APART), BASE_MS - FIVE_HOURS_MS]
    ] as const) {
      const around = new Date(atMs).toISOString()
      const { data } = await graphql(`{ trace(traceId: "${APART}", around: "${around}") { traceId warnings } }`)
      expect(data).toEqual({ trace: { traceId: id, warnings: [expect.stringContaining(`only ${id} is near that time`)] } })
    }
    const between = new Date(BASE_MS - FIVE_HOURS_MS / 2).toISOString()
    for (const around of ['', `, around: "${between}"`]) {
      const { errors } = await graphql(`{ trace(traceId: "${APART}"${around}) { traceId } }`)
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'invalid_field', suggestions: [wide(1, APART), wide(2, APART)] })
    }
  })

  it('is compared like any other, under its own id', async () => {
    const { json } = await get(`/api/v1/traces/${PAID}/compare?other=${NARROW}`)
    expect(json).toMatchObject({ base: { trace_id: wide(1, PAID) }, other: { trace_id: ZEROS + NARROW }, warnings: [ONLY] })
    expect((await get(`/api/v1/traces/${NARROW}/compare?other=${TWINS}`)).json['suggestions']).toEqual(TWIN_IDS)
  })
})

describe('logs of a trace', () => {
  const of = async (id: string, more = ''): Promise<Record<string, unknown>> =>
    (await get(`/api/v1/logs/correlate/traces/${id}${more}`)).json
  const messages = ({ logs }: Record<string, unknown>): readonly string[] =>
    (logs as { message: string }[]).map(({ message }) => message)

  it('are those with all digits of its id and those with the last 16, whichever was requested', async () => {
    for (const id of [wide(1, PAID), PAID, ZEROS + PAID]) {
      const response = await of(id)
      expect(messages(response)).toEqual(['paid short', 'paid padded', 'paid wide'])
      expect(response).toMatchObject({ trace_found: true, complete: true, warnings: id === wide(1, PAID) ? [] : [ONLY] })
    }
    expect((await of(PAID))['trace_id']).toBe(wide(1, PAID))
    const requested = '{ logs(first: 9) { nodes { message } stats { complete warnings } } logCount }'
    const { data } = await graphql(`{ trace(traceId: "${wide(1, PAID)}") ${requested} }`)
    const nodes = ['paid short', 'paid padded', 'paid wide'].map(message => ({ message }))
    expect(data).toEqual({ trace: { logs: { nodes, stats: { complete: true, warnings: [] } }, logCount: 3 } })
  })

  it('report which other traces those with the last 16 digits may belong to', async () => {
    const shared = `logs with only the last 16 digits of the trace id are included and may belong to another trace with these: ${wide(1, TWINS)}`
    const response = await of(wide(2, TWINS))
    expect(messages(response)).toEqual(['twins short', 'twins wide'])
    expect(response).toMatchObject({ trace_found: true, complete: true, warnings: [shared] })
    expect((await get(`/api/v1/traces/${wide(2, TWINS)}`)).json).toMatchObject({ logs: { total: 2 }, warnings: [shared] })
    const { data } = await graphql(
      `{ trace(traceId: "${wide(2, TWINS)}") { logs(first: 9) { nodes { message } stats { warnings } } } }`
    )
    expect(data).toMatchObject({ trace: { logs: { stats: { warnings: [shared] } } } })
  })

  it('of an id that several traces may mean are those with this id, and the response is not complete', async () => {
    const response = await of(TWINS)
    expect(messages(response)).toEqual(['twins short'])
    expect(response).toMatchObject({ trace_found: false, complete: false })
    expect(response['warnings']).toEqual([expect.stringContaining(TWIN_IDS.join(', '))])
  })

  it('are counted with the traces of a page', async () => {
    const { data } = await graphql(`
      {
        traces(range: { from: "now-1h", to: "now" }, first: 50) {
          nodes {
            traceId
            logCount
          }
        }
      }
    `)
    const { nodes } = data!['traces'] as { nodes: { traceId: string; logCount: number }[] }
    const counts = new Map(nodes.map(({ traceId, logCount }) => [traceId, logCount]))
    const expected = [wide(1, PAID), wide(1, TWINS), wide(2, TWINS), ZEROS + NARROW, CROWD_IDS[0]!]
    expect(expected.map(id => counts.get(id))).toEqual([3, 1, 2, 1, 0])
  })
})

describe('the trace and the span of a log', () => {
  interface Linked {
    readonly message: string
    readonly trace: { readonly traceId: string; readonly warnings: readonly string[] } | null
    readonly span: { readonly spanId: string; readonly traceId: string } | null
  }
  async function linked(id: string): Promise<GraphqlResult & { readonly nodes: readonly Linked[] }> {
    const response = await graphql(`{ logs(range: { from: "now-1h", to: "now" }, filter: { traceId: "${id}" }) {
      nodes { message trace { traceId warnings } span { spanId traceId } } } }`)
    return { ...response, nodes: (response.data!['logs'] as { nodes: Linked[] }).nodes }
  }

  it('are found by its 16 digits', async () => {
    const { nodes, errors } = await linked(PAID)
    expect(errors).toBeUndefined()
    const trace = { traceId: wide(1, PAID), warnings: [ONLY] }
    expect(nodes).toEqual([{ message: 'paid short', trace, span: { spanId: spanId(1), traceId: wide(1, PAID) } }])
    expect((await linked(NARROW)).nodes).toMatchObject([{ trace: { traceId: ZEROS + NARROW, warnings: [] } }])
  })

  it('are the span alone, with an error for the trace, when several traces may be meant and one has the span', async () => {
    const { nodes, errors } = await linked(TWINS)
    expect(nodes).toEqual([{ message: 'twins short', trace: null, span: { spanId: spanId(2), traceId: wide(2, TWINS) } }])
    expect(errors?.map(({ extensions }) => extensions)).toMatchObject([{ code: 'invalid_field', suggestions: TWIN_IDS }])
  })
})

describe('correlation from 64 bits', () => {
  const correlate = async (anchor: object): Promise<Record<string, unknown>> =>
    (
      await service.api('/api/v1/logs/correlate/metrics', {
        method: 'POST',
        headers: { ...user, 'x-namespace-id': service.first.namespaceId },
        json: { anchor }
      })
    ).json

  it('starts at the trace with the same last 16 digits', async () => {
    const response = await correlate({ trace_id: PAID })
    expect(response).toMatchObject({ anchor: { kind: 'trace', found: true, logs: 3 } })
    expect((response['missing'] as { signal: string }[]).map(({ signal }) => signal)).not.toContain('traces')
    expect(response['warnings']).toContain(ONLY)
    expect(await correlate({ trace_id: TWINS })).toMatchObject({ code: 'invalid_field', suggestions: TWIN_IDS })
    const { data } = await graphql(`{ correlate(input: { traceId: "${PAID}" }) {
      traceId traces(first: 5) { nodes { traceId } } logs(first: 9) { nodes { message } } } }`)
    expect(data).toMatchObject({ correlate: { traceId: wide(1, PAID), traces: { nodes: [{ traceId: wide(1, PAID) }] } } })
  })

  it('leads from a log to its trace', async () => {
    const found = await graphql(`{ logs(range: { from: "now-1h", to: "now" }, filter: { traceId: "${PAID}" }) { nodes { id } } }`)
    const [{ id }] = (found.data!['logs'] as { nodes: [{ id: string }] }).nodes
    const missing = (await correlate({ log_id: id }))['missing'] as { signal: string }[]
    expect(missing.map(({ signal }) => signal)).not.toContain('traces')
    const { data } = await graphql(`{ correlate(input: { logId: "${id}" }) { traces(first: 5) { nodes { traceId } }
      logs(first: 9, levels: []) { nodes { message } } } }`)
    expect(data).toMatchObject({ correlate: { traces: { nodes: [{ traceId: wide(1, PAID) }] } } })
  })
})
