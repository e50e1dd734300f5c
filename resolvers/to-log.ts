import { LOG_FILTERS, type LogFilterInput } from '../schema/log.args.js'
import { LOG_MEMBERS, type LogRecordType } from '../schema/log.type.js'
import type { StoredLog } from '../src/domain/records/log.js'
import { type Level, LEVELS } from '../src/domain/severity.js'
import type { LogConditions, OneOrMany } from '../src/query/conditions.js'
import { nsOfMs } from './to-access.js'
import { toConditions } from './to-shared.js'

function toLevel(level: string | null): Level | 'unknown' {
  return (LEVELS as readonly (string | null)[]).includes(level) ? (level as Level) : 'unknown'
}

/** A log as clients see it, with the record it came from for the fields that need more than it holds. */
export class LogSource implements LogRecordType {
  readonly record: StoredLog

  constructor(record: StoredLog) {
    this.record = record
  }

  get id(): string {
    return this.record.id
  }
  get timestamp(): bigint {
    return this.record.timestampNs
  }
  get receivedAt(): bigint {
    return nsOfMs(this.record.ingestedAtMs)
  }
  get level(): Level | 'unknown' {
    return toLevel(this.record.level)
  }
}

for (const { key } of LOG_MEMBERS) {
  Object.defineProperty(LogSource.prototype, key, {
    get(this: LogSource) {
      return this.record[key as keyof StoredLog]
    }
  })
}

/** Conditions of the use case out of a filter's input. */
export function toLogConditions(filter: LogFilterInput | null | undefined): LogConditions {
  if (!filter) return {}
  const known = filter.levels?.filter(level => level !== 'unknown')
  return {
    query: filter.query ?? undefined,
    filters: toConditions(filter.where),
    level: known,
    unknownLevel: filter.levels?.includes('unknown'),
    ...Object.fromEntries(LOG_FILTERS.map(({ key, parameter: { name } }) => [key, valueOf(filter, name)]))
  }
}

/** The value of a condition that the table of the record names. */
function valueOf(filter: LogFilterInput, name: string): OneOrMany | undefined {
  return (filter as Readonly<Record<string, OneOrMany | null | undefined>>)[name] ?? undefined
}
