import type { LogFilterInput } from '../schema/log.input.js'
import type { LogRecordType } from '../schema/log.type.js'
import type { StoredLog } from '../src/domain/log-record.js'
import { type Level, LEVELS } from '../src/domain/severity.js'
import type { LogConditions } from '../src/query/conditions.js'
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
  get message(): string {
    return this.record.message
  }
  get level(): Level | 'unknown' {
    return toLevel(this.record.level)
  }
  get levelText(): string | null {
    return this.record.levelText
  }
  get service(): string | null {
    return this.record.service
  }
  get host(): string | null {
    return this.record.host
  }
  get source(): string | null {
    return this.record.source
  }
  get traceId(): string | null {
    return this.record.traceId
  }
  get spanId(): string | null {
    return this.record.spanId
  }
  get fields(): object {
    return this.record.fields
  }
  get tags(): object {
    return this.record.tags
  }
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
    service: filter.services ?? undefined,
    host: filter.hosts ?? undefined,
    source: filter.sources ?? undefined,
    traceId: filter.traceId ?? undefined,
    spanId: filter.spanId ?? undefined
  }
}
