import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Buckets } from '../../src/stores/influxdb/client/buckets.js'
import { InfluxClient } from '../../src/stores/influxdb/client/influx-client.js'
import { sendLines } from '../../src/stores/influxdb/write/send-lines.js'
import { influxApi } from '../support/influx-fixture.js'
import { ServerWatch } from '../../src/stores/shared/server-watch.js'
import { systemTimers } from '../../src/threads/system-timers.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { describeOn } from '../support/servers.js'

const HOUR_S = 3_600
const NOW_NS = BigInt(Date.now()) * 1_000_000n

/** What the adapter's own lines never cause: the search for the lines at fault has to be tried with others. */
describeOn('influx', 'lines that InfluxDB refuses', access => {
  const bucket = `lines_${randomBytes(6).toString('hex')}`
  const old = NOW_NS - 3n * BigInt(HOUR_S) * 1_000_000_000n
  let watch: ServerWatch
  let client: InfluxClient
  let buckets: Buckets
  beforeAll(async () => {
    const { url } = access
    watch = new ServerWatch({
      name: 'InfluxDB',
      address: url,
      probe: async () => undefined,
      clock: systemClock,
      timers: systemTimers
    })
    client = new InfluxClient({ url, org: access.org!, token: access.token! }, { requestTimeoutMs: 30_000, watch })
    buckets = new Buckets(client)
    await buckets.ensure(bucket, HOUR_S, () => Promise.resolve())
    await sendLines(client, bucket, `typed value=1i ${NOW_NS}\n`)
  })
  afterAll(async () => {
    await buckets.drop(bucket)
    client.close()
    watch.close()
  })

  async function refusedOf(lines: readonly string[]): Promise<readonly number[]> {
    const refusals = await sendLines(client, bucket, lines.map(line => `${line}\n`).join(''))
    for (const { reason } of refusals) expect(reason).toContain('InfluxDB rejected the point: ')
    return refusals.map(({ line }) => line).sort((a, b) => a - b)
  }

  async function timesOf(measurement: string): Promise<number> {
    const query = `from(bucket:"${bucket}")|>range(start:0)|>filter(fn:(r)=>r._measurement=="${measurement}")|>group()|>count()`
    const headers = { 'content-type': 'application/vnd.flux' }
    const text = (await influxApi(access, `/api/v2/query?org=${access.org}`, { method: 'POST', body: query, headers })) as string
    return Number(/,(\d+)\r\n/.exec(text)?.[1] ?? 0)
  }

  const good = (name: string, i: number) => `${name},i=${i} value=${i} ${NOW_NS + BigInt(i)}`

  it('finds one that is not a line among many', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => (i === 321 ? 'what is this' : good('one', i)))
    expect(await refusedOf(lines)).toEqual([321])
    expect(await timesOf('one')).toBe(499)
  })

  it('finds those of the wrong type', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => (i % 90 === 7 ? `typed value=1.5 ${NOW_NS + BigInt(i)}` : good('two', i)))
    expect(await refusedOf(lines)).toEqual([7, 97, 187])
    expect(await timesOf('two')).toBe(197)
  })

  it('finds those that are too old without another request', async () => {
    const lines = Array.from({ length: 100 }, (_, i) =>
      i % 40 === 3 ? `three,i=${i} value=1 ${old + BigInt(i)}` : good('three', i)
    )
    expect(await refusedOf(lines)).toEqual([3, 43, 83])
    expect(await timesOf('three')).toBe(97)
  })

  it('gives up on the part under suspicion when there are too many to find, and keeps what it found whole', async () => {
    const lines = Array.from({ length: 4_000 }, (_, i) => (i >= 2_000 && i % 3 === 0 ? 'bad line' : good('four', i)))
    const refused = new Set(await refusedOf(lines))
    const bad = lines.flatMap((line, i) => (line === 'bad line' ? [i] : []))
    expect(bad.filter(i => !refused.has(i))).toEqual([])
    expect([...refused].filter(i => i < 2_000)).toEqual([])
  })

  it('has nothing to find when the whole request fails', async () => {
    await expect(sendLines(client, `${bucket}_missing`, `${good('five', 1)}\n`)).rejects.toMatchObject({ statusCode: 404 })
  })
})
