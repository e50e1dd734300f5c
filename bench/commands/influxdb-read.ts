import { randomBytes } from 'node:crypto'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { influxdb } from '../../test/servers/influxdb.js'
import { RunningServer } from '../../test/servers/running-server.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { pointBatches } from '../influxdb/points.js'
import { readByRows } from '../influxdb/row-api.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { quietJobs } from '../../test/support/quiet-jobs.js'

const POINTS = 1_000_000
const NS = 'benchinflux01' as NamespaceId
const { signal: NEVER } = new AbortController()
const clock = { nowNs: () => BigInt(Date.now()) * 1_000_000n, nowMs: () => Date.now(), monotonicMs: () => performance.now() }

async function measured(
  work: () => Promise<number>
): Promise<{ readonly cpuS: number; readonly seconds: number; readonly samples: number }> {
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  const samples = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuS: (user + system) / 1e6, seconds: (performance.now() - startedMs) / 1000, samples }
}

async function readByAdapter(metrics: MetricStore): Promise<number> {
  const range = { startNs: 0n, endNs: clock.nowNs() + 3_600_000_000_000n }
  const found = await metrics.select(NS, { matchers: [], range, maxSeries: 1_000, maxSamples: POINTS }, NEVER)
  return found.reduce((sum, { values }) => sum + values.length, 0)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function compare(server: RunningServer, metrics: MetricStore, { repeats, seed }: BenchOptions): Promise<Report> {
  const startNs = clock.nowNs() - 600_000_000_000n
  const newId: () => IngestId = createUlidSource(() => Date.now(), randomBytes)
  const { points } = pointBatches(POINTS, { seed, startNs, jsonBatch: 10_000, lineBatch: 10_000 })
  const write = await measured(async () => {
    for (const items of points)
      await metrics.append(NS, { ingestId: newId(), items: items.map((point, index) => ({ ...point, index })) })
    return POINTS
  })
  const rows: Row[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const adapter = await measured(() => readByAdapter(metrics))
    const client = await measured(() => readByRows(server.access, `ns_${NS}`, POINTS))
    if (adapter.samples !== POINTS || client.samples !== POINTS) throw new Error(`read ${adapter.samples} and ${client.samples}`)
    rows.push({
      ...{
        run: String(repeat + 1),
        'adapter CPU s': adapter.cpuS,
        'client CPU s': client.cpuS,
        ratio: adapter.cpuS / client.cpuS
      },
      ...{ 'adapter s': adapter.seconds, 'client s': client.seconds }
    })
  }
  return {
    title: `${POINTS} samples of 1,000 series out of InfluxDB into typed arrays`,
    rows,
    notes: [
      `median ratio ${median(rows.map(row => Number(row['ratio']))).toFixed(3)} (goal: at most 0.35)`,
      `append through the adapter: ${((write.cpuS * 1e6) / POINTS).toFixed(2)} us CPU a point`
    ]
  }
}

/** Reading: CPU of the adapter against that of the client's row API. */
export async function measureInfluxRead(options: BenchOptions): Promise<Report> {
  const server = await RunningServer.start(influxdb)
  try {
    return await withTemporaryFolder('alidade-bench', async folder => {
      const control = await openSqliteControlStore({ file: `${folder}/control.db` })
      const { url, org, token } = server.access
      const stores = await openInfluxStores({
        jobs: quietJobs(),
        ...{ url, org: org!, token: token!, clock, maxSeries: 10_000, retentionOf: () => null },
        ...{ catalog: control.series, places: control.places, limits: { catalogRefreshMs: null } }
      })
      try {
        return await compare(server, stores.metrics, options)
      } finally {
        await stores.close()
        await control.close()
      }
    })
  } finally {
    await server.stop()
  }
}
