import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

type Json = Readonly<Record<string, unknown>>

const MINUTE_MS = 60_000
const END_MS = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
const iso = (ms: number) => new Date(ms).toISOString()
const TEN_MINUTES = `range: { from: "${iso(END_MS - 10 * MINUTE_MS)}", to: "${iso(END_MS)}" }, step: "1m"`

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
  const metrics = Array.from({ length: 11 }, (_, i) => i).flatMap(i =>
    ['a', 'b'].map(job => ({
      ...{ name: 'jobs_total', type: 'counter', value: i * (job === 'a' ? 60 : 120), labels: { job, zone: 'z' } },
      timestamp_ns: `${END_MS - (10 - i) * MINUTE_MS}000000`
    }))
  )
  await service.write('/api/v1/ingest/batch', { metrics })
})
afterAll(() => service.close())

async function request(
  args: string,
  selection: string
): Promise<{ readonly data: { readonly promql: Json | null }; readonly errors?: readonly Json[] }> {
  const response = await service.post('/api/v1/graphql', { query: `{ promql(${args}) { __typename ${selection} } }` })
  return response.json as Awaited<ReturnType<typeof request>>
}

const LINES =
  '... on PromMatrix { grid { start stepMs length } series { metric legend labels { name value } values last } stats { complete warnings } }'
const SAMPLES = '... on PromVector { samples { metric labels { name value } timestamp value } stats { complete warnings } }'
const NUMBER = '... on PromScalar { timestamp value stats { complete } }'

describe('promql of GraphQL', () => {
  it('draws lines over a range, with gaps', async () => {
    const { data } = await request(`query: "sum by (job) (rate(jobs_total[2m]))", ${TEN_MINUTES}`, LINES)
    expect(data.promql).toMatchObject({
      __typename: 'PromMatrix',
      grid: { stepMs: MINUTE_MS, length: 10 },
      series: [
        { metric: null, legend: '{job=a}', labels: [{ name: 'job', value: 'a' }], last: 1 },
        { metric: null, legend: '{job=b}', labels: [{ name: 'job', value: 'b' }], last: 2 }
      ],
      stats: { complete: true, warnings: [] }
    })
    const [{ values }] = data.promql!['series'] as [{ values: (number | null)[] }]
    // The first window begins with the series, which cannot have been below zero before.
    expect(values).toEqual([null, 0.5, ...Array.from({ length: 8 }, () => 1)])
  })

  it('draws a number over a range as a line without labels, infinities as gaps', async () => {
    const { data } = await request(`query: "1 / (time() % 120)", ${TEN_MINUTES}`, LINES)
    const [line] = data.promql!['series'] as [{ labels: unknown; values: (number | null)[] }]
    expect(line).toMatchObject({ labels: [], legend: '' })
    expect(new Set(line.values)).toEqual(new Set([null, 1 / 60]))
  })

  it('gives the values of one time, now by default', async () => {
    const { data } = await request(`query: "jobs_total", at: "${iso(END_MS - MINUTE_MS)}"`, SAMPLES)
    const labels = (job: string) => [
      { name: 'job', value: job },
      { name: 'zone', value: 'z' }
    ]
    expect(data.promql).toEqual({
      __typename: 'PromVector',
      samples: [
        {
          metric: 'jobs_total',
          labels: labels('a'),
          timestamp: expect.stringContaining(iso(END_MS - MINUTE_MS).slice(0, 19)),
          value: 540
        },
        { metric: 'jobs_total', labels: labels('b'), timestamp: expect.any(String), value: 1_080 }
      ],
      stats: { complete: true, warnings: [] }
    })
    const now = await request('query: "count(jobs_total)"', SAMPLES)
    expect(now.data.promql).toMatchObject({ samples: [{ labels: [], value: 2 }] })
    expect((await request('query: "scalar(vector(7))"', NUMBER)).data.promql).toMatchObject({
      __typename: 'PromScalar',
      value: 7
    })
    expect((await request('query: "0 / 0"', NUMBER)).data.promql).toMatchObject({ value: null })
  })

  it('returns warnings and what was left out', async () => {
    const odd = await request('query: "quantile(2, jobs_total)"', SAMPLES)
    expect(odd.data.promql).toMatchObject({ stats: { complete: true, warnings: [expect.stringContaining('quantile')] } })
    const step = `range: { from: "${iso(END_MS - 10_000_000)}", to: "${iso(END_MS)}" }, step: "1s", maxPoints: 10000`
    const fan = 'count_values by (job) (\\"v\\", max_over_time(jobs_total[1h]) * 0 + time() % 150)'
    const cut = await request(`query: "${fan}", ${step}`, '... on PromMatrix { series { legend } stats { complete warnings } }')
    expect(cut.data.promql).toMatchObject({ stats: { complete: false, warnings: ['results truncated due to limit'] } })
    expect((cut.data.promql!['series'] as object[]).length).toBe(100)
  })

  it.each([
    ['query: "sum("', 'invalid_query'],
    ['query: "jobs_total + on() jobs_total"', 'query_unsupported'],
    ['query: "jobs_total[5m]"', 'query_unsupported'],
    ['query: "\\"text\\""', 'query_unsupported'],
    [`query: "jobs_total[5m]", ${TEN_MINUTES}`, 'invalid_query'],
    [`query: "1", at: "now", ${TEN_MINUTES}`, 'invalid_field'],
    ['query: "1", range: { from: "now-10d" }, step: "1s"', 'invalid_field']
  ])('refuses %s', async (args, code) => {
    const { data, errors } = await request(args, NUMBER)
    expect([data.promql, errors?.map(({ extensions }) => (extensions as { code: string }).code)]).toEqual([null, [code]])
  })
})
