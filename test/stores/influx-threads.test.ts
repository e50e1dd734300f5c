import { entryFile } from '../../src/threads/entry-file.js'
import { writeFile } from 'node:fs/promises'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append, EVER, NEVER, point, select } from '../support/influx-points.js'
import { openQueryGate, type QueryGate } from '../support/query-gate.js'
import { describeOn } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'
import { quietJobs } from '../support/quiet-jobs.js'

/** Niceness of the threads of this process by their ids. */
function threadNiceness(): ReadonlyMap<string, number> {
  const tasks = '/proc/self/task'
  const read = (id: string): number => Number(readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1]!.split(' ')[16])
  // One that has ended since it was listed has no file any more.
  return new Map(readdirSync(tasks).flatMap(id => (existsSync(`${tasks}/${id}`) ? [[id, read(id)] as const] : [])))
}

describeOn('influx', 'threads that read InfluxDB', access => {
  let site: InfluxSite
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let gate: QueryGate
  let entries = 0
  beforeAll(async () => {
    site = await openInfluxSite(access)
    folder = await openTempFolder()
    gate = await openQueryGate(access.url)
  })
  afterAll(async () => {
    await site.close()
    await gate.close()
    await folder.remove()
  })

  /** An entry whose thread does something else when it is to read a series with this text. */
  async function entryThat(does: string, atText: string): Promise<string> {
    const entry = join(folder.path, `entry-${entries++}.mjs`)
    await writeFile(
      entry,
      `import { parentPort } from 'node:worker_threads'
await import(${JSON.stringify(entryFile('influxdb-thread'))})
parentPort.on('message', ({ request }) => {
  if (request?.series.text.includes(${JSON.stringify(atText)})) { ${does} }
})
`
    )
    return entry
  }

  async function filled(metrics: MetricStore): Promise<NamespaceId> {
    const ns = influxNamespace()
    await append(metrics, ns, [point(0, { a: 'well' }), point(1, { a: 'deadly' })])
    return ns
  }

  const reading = (metrics: MetricStore, ns: NamespaceId, value: string, signal = NEVER) => {
    const matchers = [{ name: 'a', op: 'eq', value }] as const
    return metrics.select(ns, { matchers, range: EVER, maxSeries: 5, maxSamples: 5 }, signal)
  }

  it.each([
    ['ends', 'process.exit(7)', 'has ended'],
    ['throws', `throw new Error('broken')`, 'has ended'],
    // The limit itself is overridden by a flag of Node's that the tests are run with.
    [
      'takes too much memory',
      `throw Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })`,
      'needed more than 512 MiB'
    ]
  ])('reject their reads when one %s, and are followed by others', async (_title, does, why) => {
    const { metrics } = await site.open({ readEntry: await entryThat(does, 'deadly') })
    const ns = await filled(metrics)
    const outcomes = await Promise.allSettled([reading(metrics, ns, 'deadly'), reading(metrics, ns, 'deadly')])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_unavailable', message: expect.stringContaining(why), retryAfterS: 1 }
      })
    }
    expect(inspect(outcomes, { depth: 10 })).not.toContain(access.token)
    expect(await reading(metrics, ns, 'well')).toHaveLength(1)
  })

  it('delay no one but the namespaces whose reads they have, and no one who goes away', async () => {
    const stuck = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`
    const stores = await site.open({ readEntry: await entryThat(stuck, 'deadly') })
    const [one, other] = [await filled(stores.metrics), await filled(stores.metrics)]
    const leaving = new AbortController()
    const held = reading(stores.metrics, one, 'deadly', leaving.signal)
    const behind = reading(stores.metrics, one, 'well')
    expect(await reading(stores.metrics, other, 'well')).toHaveLength(1)
    leaving.abort(new Error('gone'))
    await expect(held).rejects.toThrow('gone')
    const rejected = expect(behind).rejects.toMatchObject({ code: 'store_unavailable' })
    await stores.close()
    await rejected
    await expect(reading(stores.metrics, other, 'well')).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('end the query in InfluxDB when its reader goes away', async () => {
    const { metrics } = await openAt(gate.url)
    const ns = await filled(metrics)
    gate.shut()
    const leaving = new AbortController()
    const requested = gate.next()
    const held = reading(metrics, ns, 'well', leaving.signal)
    const { givenUp } = await requested
    leaving.abort(new Error('gone'))
    await expect(held).rejects.toThrow('gone')
    await givenUp
    gate.open()
    expect(await reading(metrics, ns, 'well')).toHaveLength(1)
  })

  it('take so many reads, half of them of one namespace, and refuse the next until there is room', async () => {
    const stores = await openAt(gate.url, 4)
    const { metrics } = stores
    const [one, other, third] = [await filled(metrics), await filled(metrics), await filled(metrics)]
    gate.shut()
    const requested = Promise.all([gate.next(), gate.next(), gate.next()])
    const held = [one, one, other].map(ns => reading(metrics, ns, 'well'))
    await requested
    await expect(reading(metrics, one, 'well')).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
    const last = gate.next()
    const fourth = reading(metrics, third, 'well')
    await last
    await expect(reading(metrics, other, 'well')).rejects.toMatchObject({ code: 'overloaded' })
    expect(await stores.gauges()).toMatchObject({ reads: 4, reads_refused: 2 })
    gate.open()
    expect(await Promise.all([...held, fourth])).toEqual(Array.from({ length: 4 }, () => [expect.anything()]))
    expect(await stores.gauges()).toMatchObject({ reads: 0 })
    expect(await reading(metrics, one, 'well')).toHaveLength(1)
  })

  it('keep the token to themselves', async () => {
    for (const url of [access.url, 'http://127.0.0.1:1']) {
      const token = 'wrong-and-secret'
      const stores = await openAt(url, 4, token)
      const { metrics } = await site.open()
      const ns = await filled(metrics)
      const error: unknown = await reading(stores.metrics, ns, 'well').catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'store_unavailable' })
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(token)
    }
  })

  const onLinux = process.platform === 'linux' ? it : it.skip
  onLinux('go behind the thread that started them', async () => {
    const { metrics } = await site.open()
    const ns = await filled(metrics)
    const before = threadNiceness()
    expect(await select(metrics, ns)).toHaveLength(2)
    const started = [...threadNiceness()].filter(([id]) => !before.has(id)).map(([, niceness]) => niceness)
    expect(started).toContain(5)
    expect(threadNiceness().get(String(process.pid))).toBe(before.get(String(process.pid)))
  })

  const opened: Awaited<ReturnType<typeof openInfluxStores>>[] = []
  afterAll(() => Promise.all(opened.map(stores => stores.close())))

  async function openAt(url: string, maxReads = 256, token = access.token!) {
    const stores = await openInfluxStores({
      jobs: quietJobs(),
      ...{ url, org: access.org!, token, clock: systemClock, maxSeries: 10 },
      ...{ catalog: site.control.series, places: site.control.places, retentionOf: () => null },
      limits: { catalogRefreshMs: null, maxReads }
    })
    opened.push(stores)
    return stores
  }
})
