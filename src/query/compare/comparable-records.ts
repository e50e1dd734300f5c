import type { NamespaceId } from '../../domain/ids.js'
import { templateText } from '../../domain/log-pattern.js'
import { facetNames } from '../../domain/records/field.js'
import { LOG } from '../../domain/records/log.js'
import type { LogStore } from '../../ports/log-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { logFilter } from '../conditions.js'
import { MAX_COUNTED_IDS, PATTERN_FIELD } from '../patterns/logs-by-pattern.js'
import type { PatternNames } from '../patterns/pattern-names.js'
import { SPAN_VOCABULARY } from '../traces/span-vocabulary.js'
import { traceRequest } from '../traces/trace-conditions.js'
import { LOG_VOCABULARY } from '../vocabulary.js'
import { type ComparableRecords, MAX_COMPARED_VALUES } from './comparison.js'

/** Well-known fields of spans that have few values. */
const SPAN_CATEGORIES = ['service', 'name', 'kind', 'status', 'host', 'scope_name', 'exception_type']
const NS_PER_US = 1_000
/** Durations from 1 us to a quarter of an hour, doubling. */
const DURATION_BOUNDS = Array.from({ length: 30 }, (_, i) => NS_PER_US * 2 ** i)

function categoriesOf(names: readonly string[]): ComparableRecords['categories'] {
  return names.map(name => ({ field: { in: 'known', name }, limit: MAX_COMPARED_VALUES }))
}

/** Logs, with the ids of patterns as readers see them. */
export function comparableLogs(logs: Pick<LogStore, 'search' | 'fields'>, names: PatternNames): ComparableRecords {
  return {
    ...({ name: 'logs', signal: 'logs', vocabulary: LOG_VOCABULARY, filterOf: logFilter, measures: [] } as const),
    categories: [...categoriesOf(facetNames(LOG)), { field: PATTERN_FIELD, limit: MAX_COUNTED_IDS }],
    search: (...requested) => logs.search(...requested),
    fields: (...requested) => logs.fields(...requested),
    async templates(ns: NamespaceId, ids: readonly string[]) {
      const families = await names.familiesWith(ns, ids)
      return new Map(ids.map(id => [id, templateText(families.currentOf(id) ?? { id, tokens: [], kinds: [] })]))
    }
  }
}

/** Spans. */
export function comparableSpans(traces: Pick<TraceStore, 'searchSpans' | 'fields'>): ComparableRecords {
  return {
    ...({ name: 'spans', signal: 'traces', vocabulary: SPAN_VOCABULARY } as const),
    filterOf: side => traceRequest(side).filter,
    categories: categoriesOf(SPAN_CATEGORIES),
    measures: [{ field: { in: 'known', name: 'duration_ns' }, name: 'duration_ns', bounds: DURATION_BOUNDS }],
    search: (...requested) => traces.searchSpans(...requested),
    fields: (...requested) => traces.fields(...requested),
    templates: async () => new Map()
  }
}
