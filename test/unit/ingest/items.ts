import type { NamespaceId } from '../../../src/domain/ids.js'
import type { ErrorItem } from '../../../src/domain/errors.js'
import { NOTHING_SHARED } from '../../../src/ingest/ingest-request.js'
import { ItemCheck, isRefused } from '../../../src/ingest/item-check.js'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { NO_DEFAULTS } from '../../../src/ingest/log-defaults.js'
import { DEFAULT_LOG_OPTIONS, type LogOptions } from '../../../src/ingest/recognize-log/log-options.js'
import { parseRfc3339Ns } from '../../../src/domain/timestamp.js'

/** The arrival of every item in these tests. */
const NOW = '2026-11-20T12:00:00.000000000Z'
export const NOW_NS = parseRfc3339Ns(NOW)!
const HOUR_NS = 3_600_000_000_000n
export const OLDEST_NS = NOW_NS - 24n * 14n * HOUR_NS

/** A check whose window is 14 days back and an hour ahead of `NOW`. */
export function itemCheck(country: string | null = null, shared = NOTHING_SHARED, logs = DEFAULT_LOG_OPTIONS): ItemCheck {
  const check = new ItemCheck({
    limits: DEFAULT_INGEST_LIMITS,
    nowNs: NOW_NS,
    oldestNs: OLDEST_NS,
    newestNs: NOW_NS + HOUR_NS,
    namespaceId: 'checknamespace1' as NamespaceId,
    namespace: 'prod',
    country,
    shared,
    logs,
    defaults: NO_DEFAULTS,
    isDryRun: true,
    ...{ fields: null, redact: null }
  })
  check.begin(7)
  return check
}

/** The record, or the test fails with the refusal. */
export function accepted<T extends object>(item: T | ErrorItem): T {
  if (isRefused(item)) throw new Error(`refused: ${JSON.stringify(item)}`)
  return item as T
}

/** `code field` of the refusal, or the test fails. */
export function refusal(item: object): string {
  if (!isRefused(item)) throw new Error('accepted')
  return `${item.code} ${item.field ?? ''}`.trim()
}

export const NS = 'aaaaaaaaaaaaaaaa' as NamespaceId

/** A check at another time of arrival, whose window is 14 days back and an hour ahead of it. */
export function itemCheckAt(nowNs: bigint, logs: LogOptions): ItemCheck {
  const check = itemCheck(null, NOTHING_SHARED, logs)
  const at = new ItemCheck({ ...check.context, nowNs, oldestNs: nowNs - 24n * 14n * HOUR_NS, newestNs: nowNs + HOUR_NS })
  at.begin(0)
  return at
}
