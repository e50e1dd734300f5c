import { randomBytes } from 'node:crypto'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { type DuckDbOptions, type DuckDbStores, openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import type { AppendRequest } from '../../src/stores/duckdb/wire/calls.js'
import { packAppend } from '../../src/stores/duckdb/wire/packed-append.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { quietJobs, SILENT_LOGGER } from './quiet-jobs.js'
import { EMPTY_LOG } from './empty-log.js'

/** Strictly increasing ingest ids. */
export const nextIngestId: () => IngestId = createUlidSource(() => Date.now(), randomBytes)

/** Opens the embedded engine on a folder with the compiled store process. */
export function openTestStores(dataDir: string, options: Partial<DuckDbOptions> = {}): Promise<DuckDbStores> {
  return openDuckDbStores({
    logger: SILENT_LOGGER,
    jobs: quietJobs(),
    dataDir,
    clock: systemClock,
    ...options
  })
}

export const NS = 'testnamespace01' as NamespaceId
export const OTHER_NS = 'testnamespace02' as NamespaceId
/** Noon of a day, so that a few seconds around it are the same day. */
export const NOON_NS = 1_700_049_600_000_000_000n

/** A log with what a test does not care about filled in. */
export function testLog(index: number, log: Partial<LogRecord> = {}): LogRecord {
  return {
    ...EMPTY_LOG,
    index,
    timestampNs: NOON_NS + BigInt(index),
    message: `message ${index}`,
    level: 'info',
    levelText: 'INFO',
    severityNumber: 9,
    service: 'checkout',
    ...log
  }
}

/** `count` logs of one batch. */
export function testLogs(count: number, log: Partial<LogRecord> = {}): LogRecord[] {
  return Array.from({ length: count }, (_, i) => testLog(i, { ...log, timestampNs: (log.timestampNs ?? NOON_NS) + BigInt(i) }))
}

/** A request as it comes over the pipe. */
export function packedRequest(request: AppendRequest): Buffer {
  const packed = packAppend(request, LAYOUT.format)
  const payload = Buffer.alloc(packed.bytes)
  packed.write(payload, 0)
  return payload
}

/** A point of a gauge with one label. */
export function testPoint(index: number, point: Partial<MetricPoint> = {}): MetricPoint {
  return {
    index,
    name: 'cpu_usage',
    type: 'gauge',
    labels: [{ name: 'host', value: 'a' }],
    timestampNs: NOON_NS + BigInt(index),
    value: index,
    ...point
  }
}
