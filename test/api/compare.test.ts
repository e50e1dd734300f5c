import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Finding {
  readonly kind: string
  readonly name: string
  readonly value: string | null
  readonly base_count: number
  readonly base_total: number
  readonly other_count: number
  readonly other_total: number
  readonly effect: number
  readonly q: number
  readonly evidence: { readonly side: 'base' | 'other'; readonly query: string }
}

interface Comparison {
  readonly findings: readonly Finding[]
  readonly tested: number
  readonly skipped: readonly { readonly field: string; readonly reason: string }[]
  readonly base: { readonly rows: number }
  readonly other: { readonly rows: number }
  readonly complete: boolean
  readonly warnings: readonly string[]
  readonly page: { readonly has_more: boolean }
}

const LOGS = 600
const HOUR_MS = 3_600_000
const NOW_MS = Date.now()
/** The hour that began so many hours ago. It does not move: fields are sampled at the same rows each time. */
const hourFrom = (hoursAgo: number) => ({
  start: new Date(NOW_MS - hoursAgo * HOUR_MS).toISOString(),
  end: new Date(NOW_MS - (hoursAgo - 1) * HOUR_MS).toISOString()
})
const CALM = hourFrom(6)
const CALM_TOO = hourFrom(4)
const BAD = hourFrom(2)
const WINDOWS = { base: CALM_TOO, other: BAD }
let service: ReadingService
let sequence = 0

/** A log of a shop; after the deployment half of the logs are of a release that is slow and loses carts. */
function logOf(random: Random, atMs: number, isBad: boolean): object {
  const isNew = isBad && random.next() < 0.5
  const fails = isNew && random.next() < 0.2
  return {
    timestamp: new Date(atMs).toISOString(),
    service: 'shop',
    host: `h${random.below(3)}`,
    level: fails ? 'error' : 'info',
    message: fails ? `cart ${random.below(1e6)} was lost: no stock` : `order ${random.below(1e6)} was paid`,
    log_fields: {
      region: random.pick(['eu', 'us', 'asia']),
      'user agent': random.pick(['web "a"', 'app\\b']),
      release: isNew ? '1.10' : '1.1',
      duration_ms: Math.round((isNew ? 400 : 100) * (0.5 + random.next() ** 2) * 100) / 100,
      order_id: sequence++,
      request: random.hex(16)
    }
  }
}

async function writeWindow(random: Random, hoursAgo: number, isBad = false): Promise<void> {
  const startMs = NOW_MS - hoursAgo * HOUR_MS + 60_000
  const logs = Array.from({ length: LOGS }, (_, i) => logOf(random, startMs + i * 5_000, isBad))
  await service.write('/api/v1/logs/batch', { logs })
}

const compare = async (body: object): Promise<Comparison> =>
  (await service.ok(service.post('/api/v1/compare', body))) as unknown as Comparison

const countOf = async (side: object, query: string): Promise<number> => {
  const { total } = await service.ok(service.post('/api/v1/logs/query', { ...side, query, limit: 0, total: true }))
  return (total as { value: number }).value
}

beforeAll(async () => {
  service = await startReadingService()
  const random = seededRandom(5)
  await writeWindow(random, 6)
  await writeWindow(random, 4)
  await writeWindow(random, 2, true)
  await service.settle()
})
afterAll(() => service.close())

describe('POST /api/v1/compare', () => {
  it('finds nothing between two windows that do not differ', async () => {
    const { findings, tested, base, other, complete, warnings } = await compare({ base: CALM, other: CALM_TOO })
    expect(findings).toEqual([])
    expect(tested).toBeGreaterThan(10)
    expect([base.rows, other.rows, complete, warnings]).toEqual([LOGS, LOGS, true, []])
  })

  it('ranks the planted cause first, then its effects, and nothing else', async () => {
    const { findings, skipped } = await compare(WINDOWS)
    const [first] = findings
    expect([first!.kind, first!.name, first!.value, first!.base_count]).toEqual(['field_value', 'log_fields.release', '1.10', 0])
    const named = findings.map(({ kind, name, value }) => `${kind} ${name} ${kind === 'field_value' ? value : ''}`.trim())
    expect(new Set(named)).toEqual(
      new Set([
        'field_value log_fields.release 1.10',
        'field_value log_fields.release 1.1',
        'field_value level error',
        'measure log_fields.duration_ms',
        'pattern cart <num> was lost: no stock'
      ])
    )
    expect(findings.every(({ q }) => q <= 0.01)).toBe(true)
    const effects = findings.map(({ effect }) => Math.abs(effect))
    expect(effects.toSorted((a, b) => b - a)).toEqual(effects)
    expect(Object.fromEntries(skipped.map(({ field, reason }) => [field, reason]))).toEqual({
      'log_fields.order_id': 'counts up with time',
      'log_fields.request': 'nearly every row has a different value'
    })
  })

  it('has exact counts, which its evidence finds', async () => {
    const { findings } = await compare(WINDOWS)
    for (const { evidence, ...finding } of findings) {
      const count = evidence.side === 'base' ? finding.base_count : finding.other_count
      expect(await countOf(WINDOWS[evidence.side], evidence.query)).toBe(count)
      const isLarger = finding.other_count / finding.other_total > finding.base_count / finding.base_total
      expect(evidence.side).toBe(isLarger ? 'other' : 'base')
    }
  })

  it('compares filters, without the fields that they name', async () => {
    const base = { ...BAD, query: 'service:shop -level:error' }
    const other = { ...BAD, query: 'service:shop', filters: [{ field: 'level', op: 'eq', value: 'error' }] }
    const { findings } = await compare({ base, other })
    expect(findings.map(({ name }) => name)).toContain('log_fields.release')
    expect(findings.some(({ name }) => name === 'level' || name === 'service')).toBe(false)
    const { evidence, other_count: count } = findings.find(({ value }) => value === '1.10')!
    expect(evidence.query).toBe('(service:shop) log_fields.release:"1.10"')
    expect(await countOf(other, evidence.query)).toBe(count)
  })

  it('finds values whatever the characters of their field and themselves', async () => {
    const query = 'user\\ agent:web*'
    const { findings } = await compare({ base: { ...BAD, query: 'region:eu' }, other: { ...BAD, query } })
    // Both filters differ: what they name is left out.
    expect(findings.map(({ name }) => name)).not.toContain('log_fields.user agent')
    const apart = await compare({ base: CALM, other: { ...CALM_TOO, query: 'message:"order"' } })
    expect(apart.findings).toEqual([])
  })

  it('keeps to a limit, and states that more follows', async () => {
    const { findings, page } = await compare({ ...WINDOWS, limit: 2 })
    expect([findings.length, page.has_more]).toEqual([2, true])
    expect(findings).toEqual((await compare(WINDOWS)).findings.slice(0, 2))
  })

  it('explains a side without logs, and windows that overlap', async () => {
    const nothing = await compare({ base: { ...CALM, query: 'service:none' }, other: CALM })
    expect(nothing.findings).toEqual([])
    expect(nothing.warnings).toContain('no logs match base: nothing can be compared')
    const { warnings } = await compare({ base: CALM, other: { start: CALM.start, end: CALM_TOO.end } })
    expect(warnings).toContain('the windows overlap: logs of both count on both sides')
  })

  it.each([
    [{ base: CALM }, 'missing_field'],
    [{ base: CALM, other: { start: 'now', end: 'now-1h' } }, 'invalid_time_range'],
    [{ base: CALM, other: { ...BAD, query: 'level:' } }, 'invalid_query'],
    [{ ...WINDOWS, limit: 101 }, 'invalid_field'],
    [{ ...WINDOWS, limit: 0 }, 'invalid_field'],
    [{ ...WINDOWS, signal: 'metrics' }, 'invalid_field']
  ])('refuses %j', async (body, code) => {
    expect(await service.fault(service.post('/api/v1/compare', body))).toEqual([400, code])
  })
})

describe('compare of GraphQL', () => {
  const run = async (input: string) => {
    const query = `{ compare(input: ${input}) {
      findings { kind name value baseCount baseTotal otherCount otherTotal effect q evidence evidenceSide }
      hasMore tested skipped { field reason } base { rows window { from to } } other { rows } stats { complete warnings } } }`
    return service.ok(service.post('/graphql', { query }))
  }
  const sideOf = ({ start, end }: { readonly start: string; readonly end: string }) =>
    `{ range: { from: "${start}", to: "${end}" } }`
  const SIDES = `base: ${sideOf(WINDOWS.base)}, other: ${sideOf(WINDOWS.other)}`

  it('has what REST has', async () => {
    const { data } = (await run(`{ signal: LOGS, ${SIDES}, limit: 2 }`)) as {
      data: { compare: Readonly<Record<string, unknown>> & { findings: Readonly<Record<string, unknown>>[] } }
    }
    const { findings, ...facts } = data.compare
    const rest = await compare({ ...WINDOWS, limit: 2 })
    expect(facts).toMatchObject({
      ...{ hasMore: true, tested: rest.tested, skipped: rest.skipped, other: { rows: LOGS } },
      stats: { complete: true, warnings: [] }
    })
    expect(findings.map(({ name, value, otherCount, evidence }) => [name, value, otherCount, evidence])).toEqual(
      rest.findings.map(({ name, value, other_count: count, evidence }) => [name, value, count, evidence.query])
    )
    expect(findings[0]).toMatchObject({ kind: 'FIELD_VALUE', evidenceSide: 'OTHER' })
  })

  it('refuses other signals', async () => {
    const { errors } = (await run(`{ signal: RUM, ${SIDES} }`)) as { errors: { extensions: { code: string } }[] }
    expect(errors[0]!.extensions.code).toBe('invalid_field')
  })
})

describe('compare of spans', () => {
  it('finds an attribute and durations that changed', async () => {
    const random = seededRandom(8)
    const spanOf = (hoursAgo: number, i: number, isBad: boolean) => {
      const startNs = BigInt(Date.now() - hoursAgo * 3_600_000 + 60_000 + i * 5_000) * 1_000_000n
      const isNew = isBad && i % 2 === 0
      const durationNs = BigInt(Math.round((isNew ? 9e8 : 3e7) * (0.5 + random.next())))
      return {
        traceId: random.hex(32),
        spanId: random.hex(16),
        name: 'GET /cart',
        kind: 2,
        startTimeUnixNano: String(startNs),
        endTimeUnixNano: String(startNs + durationNs),
        attributes: [{ key: 'release', value: { stringValue: isNew ? '1.10' : '1.1' } }]
      }
    }
    const spans = [4, 2].flatMap(hours => Array.from({ length: 200 }, (_, i) => spanOf(hours, i, hours === 2)))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'cart' } }] }
    const headers = { 'x-api-key': service.first.ingestKey }
    const json = { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }
    expect((await service.ingest('/api/v1/otlp/v1/traces', { method: 'POST', json, headers })).status).toBe(200)
    await service.settle()
    const { findings, base } = await compare({ ...WINDOWS, signal: 'spans' })
    expect(base.rows).toBe(200)
    expect(findings.map(({ kind, name, value }) => [kind, name, kind === 'measure' ? null : value])).toEqual([
      ['field_value', 'attributes.release', '1.10'],
      ['measure', 'duration_ns', null],
      ['field_value', 'attributes.release', '1.1']
    ])
    for (const { evidence, ...finding } of findings.slice(0, 2)) {
      const body = { ...WINDOWS[evidence.side], query: evidence.query, limit: 1, total: true }
      const { total } = await service.ok(service.post('/api/v1/traces/query', body))
      expect((total as { value: number }).value).toBe(finding.other_count)
    }
  })
})
