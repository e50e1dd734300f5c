import type { Filter } from '../domain/filter.js'
import type { Namespace, RetainedSignal } from '../domain/namespace.js'
import type { NumberSummary } from '../domain/search.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { ResultFacts, WindowBounds } from './result.js'
import { boundedCount } from './bounds.js'
import type { FieldCondition } from './conditions.js'
import { MAX_FACET_VALUES } from './log-facets.js'
import type { FacetCounts, FacetQuery } from './log-query.js'
import { HOUR_MS, readWindow } from './read-window.js'
import { fieldName, type Vocabulary } from './vocabulary.js'
import type { Warning } from '../domain/warning.js'

/** What all conditions of records may contain. */
interface Conditioned {
  readonly filters?: readonly FieldCondition[] | undefined
}

/** Values of one field in a window. */
export interface FieldValuesQuery<Conditions> extends WindowBounds {
  readonly field: string
  readonly conditions: Conditions
  readonly prefix?: string | undefined
  /** Only values that contain this text, case-insensitive. */
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

interface FieldValuesResult extends ResultFacts {
  readonly facet: FacetCounts
  readonly limit: number
}

/** Fields of the records of a window. */
export interface FieldsQuery<Conditions> extends WindowBounds {
  readonly conditions: Conditions
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

/** A field with its type and frequency. */
export interface FieldInfo {
  /** The name to use in filters and facets. */
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean' | 'timestamp'
  readonly count: number
  readonly cardinality: number
  /** Some values, for completion. */
  readonly examples: readonly string[]
}

interface FieldsResult extends ResultFacts {
  readonly fields: readonly FieldInfo[]
  /** More fields match than `limit`. */
  readonly hasMore: boolean
  readonly limit: number
}

/** A field of the newest records. */
export interface SampledField extends FieldInfo {
  /** Characters of its longest value. */
  readonly longest: number
  /** Of type `number`. */
  readonly numbers?: NumberSummary
}

/** Fields of the newest records. */
export interface SampledFields {
  readonly fields: readonly SampledField[]
  /** Present if more records match than were examined. */
  readonly warnings: readonly Warning[]
}

/** The records of one signal. */
export interface CatalogedRecords<Conditions extends Conditioned> {
  /** What they are called in warnings. */
  readonly name: 'logs' | 'spans'
  readonly signal: RetainedSignal
  readonly vocabulary: Vocabulary
  /** Well-known fields that are worth a facet. */
  readonly knownFacets: readonly string[]
  readonly filterOf: (conditions: Conditions) => Filter
  readonly fields: LogStore['fields']
  readonly search: (
    ns: Namespace,
    query: WindowBounds & { readonly conditions: Conditions; readonly rows: false; readonly facets: readonly FacetQuery[] },
    signal: AbortSignal
  ) => Promise<ResultFacts & { readonly facets: readonly FacetCounts[] }>
}

const MAX_FIELDS = 1_000
const DEFAULT_FIELDS = 200
const DEFAULT_VALUES = 100
/** Newest records that are looked through for names of fields. */
const SAMPLE_ROWS = 10_000
/** Examples of a well-known field: its most frequent values. */
const KNOWN_EXAMPLES = 5

/** Which fields and values the records of a signal have. */
export class FieldCatalog<Conditions extends Conditioned> {
  readonly #records: CatalogedRecords<Conditions>
  readonly #clock: Clock

  constructor(records: CatalogedRecords<Conditions>, clock: Clock) {
    this.#records = records
    this.#clock = clock
  }

  /** Values of one field under all conditions, its own included; most frequent first. */
  async values(ns: Namespace, query: FieldValuesQuery<Conditions>, signal: AbortSignal): Promise<FieldValuesResult> {
    const { start, end, field, conditions, prefix, contains } = query
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_FACET_VALUES, otherwise: DEFAULT_VALUES })
    const facets = [{ field, limit, excludeSelf: false, prefix: prefix === '' ? undefined : prefix, contains, lastSeen: true }]
    const result = await this.#records.search(ns, { start, end, conditions, rows: false, facets }, signal)
    return { ...factsOf(result), facet: result.facets[0]!, limit }
  }

  /** Fields seen in the newest matching records, most frequent first; the well-known ones before the others. */
  async fields(ns: Namespace, query: FieldsQuery<Conditions>, signal: AbortSignal): Promise<FieldsResult> {
    const { start, end, conditions } = query
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_FIELDS, otherwise: DEFAULT_FIELDS })
    const facets = this.#records.knownFacets.map(field => ({ field, limit: KNOWN_EXAMPLES, excludeSelf: false }))
    const [known, free] = await Promise.all([
      this.#records.search(ns, { start, end, conditions, rows: false, facets }, signal),
      this.sampled(ns, query, signal)
    ])
    const fields: readonly FieldInfo[] = [
      ...known.facets.map(({ field, values, other, distinct }) => ({
        name: field,
        type: 'string' as const,
        count: values.reduce((sum, { count }) => sum + count, other),
        cardinality: distinct.value,
        examples: values.map(({ value }) => value)
      })),
      ...free.fields.map(({ name, type, count, cardinality, examples }) => ({ name, type, count, cardinality, examples }))
    ]
    const requested = query.contains?.toLowerCase() ?? ''
    const matching = fields.filter(field => field.count > 0 && field.name.toLowerCase().includes(requested))
    return {
      ...factsOf(known),
      complete: known.complete && free.warnings.length === 0,
      warnings: [...known.warnings, ...free.warnings],
      fields: matching.slice(0, limit),
      hasMore: matching.length > limit,
      limit
    }
  }

  /** Free fields of the newest matching records, most frequent first. */
  async sampled(
    ns: Namespace,
    query: Omit<FieldsQuery<Conditions>, 'limit'>,
    signal: AbortSignal,
    sampleRows = SAMPLE_ROWS
  ): Promise<SampledFields> {
    const { name, signal: retained, vocabulary, filterOf } = this.#records
    const { range } = readWindow(query, { namespace: ns, signal: retained, nowNs: this.#clock.nowNs() }, HOUR_MS)
    const request = { range, filter: filterOf(query.conditions), limit: MAX_FIELDS, sampleRows }
    const { fields, sampled } = await this.#records.fields(ns.id, request, signal)
    return {
      fields: fields.map(({ field, ...rest }) => ({ ...rest, name: fieldName(vocabulary, field) })),
      warnings: sampled ? [`field names are those of the latest ${sampleRows} matching ${name}`] : []
    }
  }
}

/** Completeness and statistics of a result. */
export function factsOf({ window, complete, warnings, tookMs }: ResultFacts): ResultFacts {
  return { window, complete, warnings, tookMs }
}
