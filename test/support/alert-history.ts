import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import { QueryConditionReader } from '../../src/alerting/evaluate/read/query-condition-reader.js'
import { PromqlQuery } from '../../src/query/promql/promql-query.js'
import { PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { toSpan } from '../contract/trace-fixtures.js'
import { nextIngestId, NOON_NS, NS, OTHER_NS, openTestStores, testLog, testPoint } from './duckdb-fixture.js'
import { SILENT_LOGGER } from './quiet-jobs.js'
import { openTempFolder } from './temp-folder.js'

const MINUTE_MS = 60_000
const MINUTE_NS = 60_000_000_000n
export const NOON_MS = Number(NOON_NS / 1_000_000n)

/** The namespace of the history. */
export const HISTORY_NAMESPACE: Namespace = {
  ...{ id: NS, name: 'test', kind: 'team', state: 'active', createdAtMs: 0 },
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team
}

/** Three hours after its begin. */
export const HISTORY_CLOCK = {
  nowNs: () => NOON_NS + 180n * MINUTE_NS,
  nowMs: () => NOON_MS + 180 * MINUTE_MS,
  monotonicMs: () => performance.now()
}

/** Stores with two hours of logs, samples and spans, and a reader of conditions. */
export interface AlertHistory {
  readonly stores: DuckDbStores
  readonly reader: QueryConditionReader
  close(): Promise<void>
}

async function fill(stores: DuckDbStores): Promise<void> {
  // One error of api each minute for half an hour, three of db in minute 10, none later.
  const logs = [
    ...Array.from({ length: 30 }, (_, i) => ({ minute: i, service: 'api', level: 'error' as const, host: 'h1' })),
    ...Array.from({ length: 3 }, () => ({ minute: 10, service: 'db', level: 'error' as const, host: 'h2' })),
    ...Array.from({ length: 100 }, (_, i) => ({ minute: i, service: 'web', level: 'info' as const, host: 'h3' }))
  ]
  const records = logs.map(({ minute, ...log }, i) =>
    testLog(i, { ...log, timestampNs: NOON_NS + BigInt(minute) * MINUTE_NS + BigInt(i) })
  )
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: records })
  await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: records.slice(0, 5) })
  // Two series each minute for an hour; that of host b ends after half of it.
  const points = Array.from({ length: 60 }, (_, i) => i).flatMap(i => [
    testPoint(2 * i, { timestampNs: NOON_NS + BigInt(i) * MINUTE_NS, value: i }),
    ...(i < 30
      ? [
          testPoint(2 * i + 1, {
            labels: [{ name: 'host', value: 'b' }],
            timestampNs: NOON_NS + BigInt(i) * MINUTE_NS,
            value: 100 - i
          })
        ]
      : [])
  ])
  // Another metric with the labels of one of these.
  const others = points.filter((_, i) => i % 2 === 0).map(point => ({ ...point, name: 'memory_usage' }))
  const items = [...points, ...others].map((point, index) => ({ ...point, index }))
  await stores.metrics.append(NS, { ingestId: nextIngestId(), items })
  // Four requests of api a minute for ten minutes, one of them failed; cron has internal spans without a parent alone.
  const spans = Array.from({ length: 10 }, (_, minute) => [0, 1, 2, 3].map(i => ({ minute, i })))
    .flat()
    .map(({ minute, i }, index) => {
      const isCron = i === 3 && minute === 0
      const span = toSpan(
        { trace: index + 1, service: isCron ? 'cron' : 'api', kind: isCron ? 'internal' : 'server', name: 'GET /' },
        index
      )
      const timestampNs = NOON_NS + BigInt(minute) * MINUTE_NS + BigInt(i) * 1_000_000n
      return {
        ...span,
        timestampNs,
        durationNs: BigInt(i + 1) * 10_000_000n,
        status: i === 0 ? ('error' as const) : ('ok' as const)
      }
    })
  await stores.traces.append(NS, { ingestId: nextIngestId(), items: spans })
}

/** Opens the embedded stores and fills them. */
export async function openAlertHistory(): Promise<AlertHistory> {
  const folder = await openTempFolder()
  const stores = await openTestStores(folder.path)
  await fill(stores)
  const threads = new PromqlThreads({ count: 2 })
  const { metrics, logs, traces } = stores
  const promql = new PromqlQuery({ metrics, clock: HISTORY_CLOCK, settings: DEFAULT_QUERY_SETTINGS, threads })
  return {
    stores,
    reader: new QueryConditionReader({
      ...{ promql, logs, traces, clock: HISTORY_CLOCK, logger: SILENT_LOGGER },
      events: { list: async () => [] }
    }),
    close: async () => {
      await stores.close()
      await folder.remove()
    }
  }
}
