import { fieldList, isNumber, type RecordField } from '../../domain/records/field.js'
import { LOG } from '../../domain/records/log.js'
import { SPAN } from '../../domain/records/span.js'
import type { LogStore } from '../../ports/log-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { logFilter } from '../conditions.js'
import { SPAN_VOCABULARY } from '../traces/span-vocabulary.js'
import { traceRequest } from '../traces/trace-conditions.js'
import { LOG_VOCABULARY } from '../vocabulary.js'
import type { AggregatedRecords, MeasuredRecords } from './aggregation.js'

function numbersOf(table: Readonly<Record<string, RecordField>>): ReadonlySet<string> {
  return new Set(
    fieldList(table)
      .filter(isNumber)
      .map(({ name }) => name)
  )
}

/** How logs are measured. */
export const MEASURED_LOGS: MeasuredRecords = {
  ...{ signal: 'logs', vocabulary: LOG_VOCABULARY, numbers: numbersOf(LOG) },
  filterOf: logFilter
}

/** How spans are measured. */
export const MEASURED_SPANS: MeasuredRecords = {
  ...{ signal: 'traces', vocabulary: SPAN_VOCABULARY, numbers: numbersOf(SPAN) },
  filterOf: conditions => traceRequest(conditions).filter
}

/** Logs of a store. */
export function aggregatedLogs(logs: Pick<LogStore, 'aggregate'>): AggregatedRecords {
  return { ...MEASURED_LOGS, aggregate: (...requested) => logs.aggregate(...requested) }
}

/** Spans of a store. */
export function aggregatedSpans(traces: Pick<TraceStore, 'aggregate'>): AggregatedRecords {
  return { ...MEASURED_SPANS, aggregate: (...requested) => traces.aggregate(...requested) }
}
