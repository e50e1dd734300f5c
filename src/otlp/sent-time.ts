import type { OtlpRecord } from './model.js'

/** When a record was made or observed, whichever was later; 0 when it does not say. */
function timeOf(record: OtlpRecord): bigint {
  if ('endTimeNs' in record) return later(record.startTimeNs, record.endTimeNs)
  return 'observedTimeNs' in record ? later(record.timeNs, record.observedTimeNs) : record.timeNs
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The time of the last record of a request that has one, Unix nanoseconds; undefined when none has. */
export function sentTimeNs(records: readonly OtlpRecord[]): bigint | undefined {
  for (let i = records.length - 1; i >= 0; i--) {
    const timeNs = timeOf(records[i]!)
    if (timeNs > 0n) return timeNs
  }
  return undefined
}
