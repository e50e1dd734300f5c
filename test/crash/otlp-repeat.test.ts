import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'
import { double, fixed64, message } from '../support/protobuf.js'
import { CrashSite } from './crash-site.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let site: CrashSite
beforeAll(async () => {
  folder = await openTempFolder()
  site = await CrashSite.open(folder.path)
}, 60_000)
afterAll(async () => {
  await site?.service.stop()
  await folder.remove()
})

const nowNs = BigInt(Date.now()) * 1_000_000n
const LOGS = message(1, message(2, ...[1, 2, 3].map(n => message(2, fixed64(1, nowNs), message(5, message(1, `line ${n}`))))))
const SPANS = message(
  1,
  message(
    2,
    ...[1, 2].map(n =>
      message(
        2,
        message(1, Buffer.alloc(16, 9)),
        message(2, Buffer.alloc(8, n)),
        message(5, 'work'),
        fixed64(7, nowNs),
        fixed64(8, nowNs)
      )
    )
  )
)
const POINTS = message(
  1,
  message(
    2,
    message(2, message(1, 'repeated'), message(5, ...[1n, 2n].map(n => message(1, fixed64(3, nowNs + n), double(4, 1)))))
  )
)

async function send(): Promise<number[]> {
  const { host, port, apiKey } = site.target
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-protobuf' }
  const post = async (signal: string, body: Buffer): Promise<number> =>
    (await fetch(`http://${host}:${port}/v1/${signal}`, { method: 'POST', headers, body })).status
  return Promise.all([post('logs', LOGS), post('traces', SPANS), post('metrics', POINTS)])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((a, b) => a + b, 0)
}

// A response that came is the worst case for the store: all that a sender without one may repeat is acknowledged already.
it('counts what a sender of OTLP repeats after a kill -9 behind the store once', async () => {
  for (let life = 0; life < 3; life++) {
    expect(await send()).toEqual([200, 200, 200])
    await site.service.stop('SIGKILL')
    await site.start()
  }
  expect(await send()).toEqual([200, 200, 200])
  const { session } = site
  const logs = await session.call<{ total: { value: number } }>('POST', '/api/v1/logs/query', { query: 'line', total: true })
  // A span that is stored twice is one in its trace, but counts twice here.
  const spans = await session.call<{ durations: { counts: number[] } }>('GET', '/api/v1/traces?durations=3')
  const points = await session.call<{ series: { points: [unknown, number][] }[] }>('POST', '/api/v1/query', {
    ...{ metric: 'repeated', agg: 'count', step: '1h', start: 'now-1h', end: 'now' }
  })
  expect(logs.total.value).toBe(3)
  expect(sum(spans.durations.counts)).toBe(2)
  expect(sum(points.series.flatMap(one => one.points.map(([, count]) => count)))).toBe(2)
}, 60_000)
