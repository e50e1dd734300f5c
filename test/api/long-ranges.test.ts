import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { openTempFolder } from '../support/temp-folder.js'

// Long ranges are read only where a query looks; a setting turns that off. Both ways return the same.

const END_S = Math.floor(Date.now() / 3_600_000) * 3_600
const START_S = END_S - 4 * 86_400
const EVERY_S = 300
const QUERIES = [
  'load',
  'load offset 1d',
  'rate(hits_total[15m])',
  'sum by (zone) (increase(hits_total[30m]))',
  'max_over_time(load[1h]) - min_over_time(load[1h])',
  'last_over_time(load[1h]) or first_over_time(gone[2h])',
  'avg_over_time(load[1h])',
  'absent_over_time(gone[20m])',
  'count_over_time(load[10m]) * on (zone) group_left () hits_total{host="a"}',
  'max_over_time(rate(hits_total[10m])[6h:1h])',
  'timestamp(gone)',
  'rate(load[15m])',
  'increase(hits_total[20m] anchored)',
  'rate(load[10m] smoothed offset 1h) + load smoothed',
  'count_over_time(load[step() / 4]) - fill (1) last_over_time(gone[10m])'
]

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: ReadingService
beforeAll(async () => {
  folder = await openTempFolder()
  service = await startReadingService({ dataDir: folder.path })
  const points = Array.from({ length: (END_S - START_S) / EVERY_S }, (_, i) => i).flatMap(i => {
    const timestamp_ns = `${START_S + i * EVERY_S + (i % 7)}${String((i % 4) * 250).padStart(3, '0')}000000`
    const point = (name: string, host: string, value: number, type = 'gauge') => {
      return { name, type, value, timestamp_ns, labels: { host, zone: host === 'a' ? 'x' : 'y' } }
    }
    return [
      point('load', 'a', Math.sin(i) * (i % 50)),
      ...(i % 9 < 7 ? [point('load', 'b', (i * 37) % 101)] : []),
      point('hits_total', 'a', i % 300, 'counter'),
      ...(i < 500 ? [point('gone', 'b', -i)] : [])
    ]
  })
  for (let from = 0; from < points.length; from += 2_000)
    await service.write('/api/v1/ingest/batch', { metrics: points.slice(from, from + 2_000) })
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

async function responses(): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const query of QUERIES) {
    for (const step of ['3600', '2700']) {
      const range = new URLSearchParams({ query, start: String(START_S + 61), end: String(END_S), step })
      const { data } = await service.ok(service.get(`/api/v1/prometheus/api/v1/query_range?${range.toString()}`))
      found.push([query, step, data])
    }
  }
  for (const agg of ['avg', 'min', 'max', 'last', 'count']) {
    for (const more of [{}, { group_by: [] }]) {
      const request = { metric: 'load', agg, step: '1h', start: START_S, end: END_S, ...more }
      found.push([agg, (await service.ok(service.post('/api/v1/query', request)))['series']])
    }
  }
  return found
}

it('returns the same for long ranges, whether it reads all of them or what is looked at', async () => {
  const pushedDown = await responses()
  expect(JSON.stringify(pushedDown[0]).length).toBeGreaterThan(2_000)
  const { first } = service
  await service.close()
  service = await startReadingService({
    dataDir: folder.path,
    as: first,
    flags: ['--rate-queries', '1000', '--query-push-down', 'false']
  })
  const whole = await responses()
  for (const [i, response] of whole.entries()) expect(pushedDown[i]).toEqual(response)
}, 60_000)
