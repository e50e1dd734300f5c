import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, type Tenant } from '../support/tenants.js'

// Each of these would compute for minutes, or not end at all: it is refused by a limit that is named, or ended at the time
// requested, and meanwhile others are served.

const TIMEOUT_MS = 500
/** A second is promised; a machine that does other things may take longer. Without the requested time limit it is 30 s. */
const LATE_MS = 15_000
const LATE = /query timed out in expression evaluation/
const VALUES = /limit of \d+ computed values/
const END_S = Math.floor(Date.now() / 60_000) * 60

const HOSTILE: readonly (readonly [name: string, query: string, refusal: RegExp])[] = [
  ['a long text', `"${'x'.repeat(20_000)}"`, /20000 characters/],
  ['nesting', `${'('.repeat(400)}1${')'.repeat(400)}`, /nested deeper than 200/],
  ['nested functions', `${'abs('.repeat(400)}x${')'.repeat(400)}`, /nested deeper than 200/],
  ['many operators', `1${'+1'.repeat(1_500)}`, /1000 operators/],
  ['a long regex', `{__name__=~"${'a?'.repeat(600)}"}`, /not a list of values must not exceed 1000/],
  [
    'a wide class in any case',
    String.raw`{__name__=~"(?i)[B-\\x{1e942}]"}`,
    /not a list of values must not exceed 1000.*a wide range/
  ],
  ['repetitions of repetitions', '{__name__=~"((a{100}){100}){100}"}', /not a list of values must not exceed 1000|regex|repe/i],
  [
    'many regexes',
    `x{${Array.from({ length: 500 }, (_, i) => `a=~"(a?){${230 + (i % 99)}}"`).join(',')}}`,
    /10000 characters in total/
  ],
  ['a long list of values', `x{a=~"${'abcdefgh|'.repeat(2_000)}"}`, /10000 characters/],
  ['a regex in label_replace', `label_replace(x, "a", "b", "c", "((a{100}){100}){100}")`, /1000|regex|repe/i],
  ['a subquery of years by seconds', 'max_over_time(vector(1)[10y:1s])', VALUES],
  ['subqueries of subqueries', 'sum_over_time(sum_over_time(vector(time())[30d:1s])[30d:1s])', LATE],
  ['quantiles of long windows', 'quantile_over_time(0.5, vector(time())[20d:1s])', LATE],
  ['windows over and over', 'stddev_over_time(sum_over_time(vector(time())[10d:10s])[10d:1m])', LATE],
  ['deviations', 'mad_over_time(vector(time())[20d:1s])', LATE],
  [
    'text of every value',
    'count_values("v", label_join(vector(time()), "a", "b")) and sum_over_time(vector(time())[60d:1s])',
    LATE
  ]
]

let service: RunningService
let tenants: readonly [Tenant, Tenant]
beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  tenants = [await createTenant(service, 'hostile'), await createTenant(service, 'patient')]
  // The threads are started by the first queries.
  await Promise.all([1, 2, 3].map(() => request(tenants[0], 'vector(1)', 30_000)))
})
afterAll(() => service.close())

interface Result {
  readonly status: number
  readonly tookMs: number
  readonly body: { readonly error?: string; readonly data?: { readonly result: readonly unknown[] } }
}

/** Over a range of 200 steps. */
async function request({ queryKey }: Tenant, query: string, timeoutMs = TIMEOUT_MS, signal?: AbortSignal): Promise<Result> {
  const steps = { start: String(END_S - 12_000), end: String(END_S), step: '60', timeout: String(timeoutMs / 1000) }
  const startedMs = performance.now()
  const reply = await fetch(`${service.url}/api/v1/prometheus/api/v1/query_range`, {
    method: 'POST',
    headers: { 'x-api-key': queryKey },
    body: new URLSearchParams({ query, ...steps }),
    signal: signal ?? null
  })
  const body = (await reply.json()) as Result['body']
  return { status: reply.status, tookMs: performance.now() - startedMs, body }
}

describe('a hostile query', () => {
  it.each(HOSTILE)('of %s is refused by name or ended in time', async (_, query, refusal) => {
    const { status, tookMs, body } = await request(tenants[0], query)
    expect([400, 422, 503]).toContain(status)
    expect(body.error).toMatch(refusal)
    expect(tookMs).toBeLessThan(TIMEOUT_MS + LATE_MS)
  })

  it('delays no one else, however many of them there are', async () => {
    const leaving = new AbortController()
    const queries = HOSTILE.filter(([, , refusal]) => refusal === LATE).map(([, query]) => query)
    const hostile = [...queries, ...queries].map(query => request(tenants[0], query, 30_000, leaving.signal))
    const ended = Promise.allSettled(hostile)
    for (let i = 0; i < 5; i++) {
      const { status, body } = await request(tenants[1], 'vector(1)', 30_000)
      expect([status, body.data!.result.length]).toEqual([200, 1])
    }
    leaving.abort('served while these ran')
    expect((await ended).map(outcome => outcome.status === 'rejected' && outcome.reason)).toEqual(
      hostile.map(() => 'served while these ran')
    )
    expect((await request(tenants[0], 'vector(1)', 30_000)).status).toBe(200)
  })
})
