import { allOf, type Filter } from '../../domain/filter.js'
import type { Namespace, RetainedSignal } from '../../domain/namespace.js'
import type { FieldSummary, SearchRequest, SearchResult } from '../../domain/search.js'
import type { ResolvedWindow, TimeRange } from '../../domain/time-range.js'
import { type Cut, distinctWarnings } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { boundedCount } from '../bounds.js'
import type { FieldCondition } from '../conditions.js'
import type { LargeReads } from '../large-reads.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import type { ResultFacts, WindowBounds } from '../result.js'
import type { Vocabulary } from '../vocabulary.js'
import type { Compared, Difference } from './differences.js'
import { evidenceOf, evidenceSide } from './evidence.js'
import { aroundBoth, hasSameFilter, type OpenSide, overlaps, partsOf, sideWarnings } from './open-side.js'
import { rowsPerTrace, testedByTrace } from './rows-per-trace.js'
import { type ComparedField, comparedFields, MAX_COMPARED_FIELDS, type SkippedField } from './compared-fields.js'
import { comparedMeasures, comparedValues } from './compared-counts.js'
import { namedFields } from './named-fields.js'
import type { ComparedSignal } from './compared-errors.js'
import type { ServiceSignals } from './service-signals.js'
import { type CountedField, countSide, type SideCounts, valueCounts } from './side-counts.js'

/** One side of a comparison: a window, and the conditions on its rows. */
export interface ComparedSide extends WindowBounds {
  /** Search language of the signal. */
  readonly query?: string | undefined
  readonly filters?: readonly FieldCondition[] | undefined
}

/** What to compare. */
export interface ComparisonQuery {
  readonly base: ComparedSide
  readonly other: ComparedSide
  /** Differences of the result; default 20, at most 100. */
  readonly limit?: number | undefined
}

/** A difference, and where to look. */
export interface Finding extends Difference {
  /** Of a pattern its template, of an error group its type and message. */
  readonly title: string | null
  /**
   * The side that has most of the rows, and the query that finds them among its window and filters; of an error group a search for
   * errors, of a metric PromQL.
   */
  readonly evidence: { readonly side: 'base' | 'other'; readonly query: string }
}

/** The rows of one side. */
export interface SideFacts {
  readonly window: ResolvedWindow
  /** Rows that match; exact. */
  readonly rows: number
}

/** Differences of two sides; none when nothing differs significantly. */
export interface ComparisonResult extends ResultFacts {
  /** Largest effect first. */
  readonly findings: readonly Finding[]
  readonly hasMore: boolean
  readonly limit: number
  /** Values, measures and patterns that were tested. */
  readonly tested: number
  readonly skipped: readonly SkippedField[]
  readonly base: SideFacts
  readonly other: SideFacts
}

/** A row with its trace. */
interface TracedRow {
  readonly traceId: string | null
}

/** The records of one signal, as a comparison reads them. */
export interface ComparableRecords {
  /** What they are called in warnings. */
  readonly name: 'logs' | 'spans'
  readonly signal: RetainedSignal
  readonly vocabulary: Vocabulary
  readonly filterOf: (side: Pick<ComparedSide, 'query' | 'filters'>) => Filter
  /** Well-known fields whose values are compared. */
  readonly categories: readonly CountedField[]
  /** Well-known numbers. */
  readonly measures: readonly ComparedField[]
  readonly search: (
    ns: Namespace['id'],
    request: SearchRequest,
    signal: AbortSignal
  ) => Promise<Pick<SearchResult<TracedRow>, 'rows' | 'total' | 'facets' | 'distributions' | 'complete' | 'warnings'>>
  readonly fields: LogStore['fields']
  /** The templates of patterns. */
  readonly templates: (ns: Namespace['id'], ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const DEFAULT_DIFFERENCES = 20
export const MAX_DIFFERENCES = 100
/** Values of a field that each side lists, most frequent first. */
export const MAX_COMPARED_VALUES = 200
/** Rows of each part. */
const SAMPLE_ROWS = 500
const MAX_SAMPLED_FIELDS = 200
/** Rows of a difference of which the traces are looked at. */
const TRACED_ROWS = { limit: 200, order: 'desc', maxBytes: 2 ** 20 } as const

function tooManyFields(beyondLimit: number): Cut {
  return {
    kind: 'cap',
    detail: `${beyondLimit} less frequent fields were not compared`,
    limit: MAX_COMPARED_FIELDS,
    remedy: 'Add conditions, so that the rows have fewer fields.'
  }
}

/** A comparison for each signal. */
export type Comparisons = Readonly<Record<'logs' | 'spans', Comparison>>

/** Dependencies of `Comparison`. */
export interface ComparisonDeps {
  readonly clock: Clock
  readonly largeReads: LargeReads
  readonly services: ServiceSignals
}

/** Compares the records of two windows or two filters; of two windows also error groups and metrics of the same services. */
export class Comparison {
  readonly #records: ComparableRecords
  readonly #clock: Clock
  readonly #largeReads: LargeReads
  readonly #services: ServiceSignals

  constructor(records: ComparableRecords, deps: ComparisonDeps) {
    this.#records = records
    this.#clock = deps.clock
    this.#largeReads = deps.largeReads
    this.#services = deps.services
  }

  /** Throws as a search of each side, and `overloaded` when too many large reads of the namespace are queued. */
  async compare(ns: Namespace, query: ComparisonQuery, signal: AbortSignal): Promise<ComparisonResult> {
    const startedMs = this.#clock.monotonicMs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_DIFFERENCES, otherwise: DEFAULT_DIFFERENCES })
    const nowNs = this.#clock.nowNs()
    const [base, other] = [query.base, query.other].map(side => this.#open(ns, side, nowNs)) as [OpenSide, OpenSide]
    await this.#largeReads.enter(ns.id, 0, signal)
    const named = namedFields(base.filter, other.filter)
    const samples = await Promise.all([...this.#samples(base, signal), ...this.#samples(other, signal)])
    const { fields, skipped, beyondLimit } = comparedFields(samples, this.#records.vocabulary, named)
    const counted = await this.#count({ base, other }, { fields, named }, signal)
    const signals = await this.#compareServices(ns, { base, other, counted, nowNs }, signal)
    const { tested, differences } = await testedByTrace([...counted.compared, ...signals.compared], difference =>
      this.#rowsPerTrace({ base, other }, difference, signal)
    )
    const warnings = [
      ...sideWarnings('base', base, counted.base),
      ...sideWarnings('other', other, counted.other),
      ...(beyondLimit > 0 ? [tooManyFields(beyondLimit)] : []),
      ...counted.notes,
      ...signals.warnings,
      ...this.#hints({ base, other }, counted)
    ]
    const areWhole = [base, other].every(({ window }) => window.warnings.length === 0)
    return {
      findings: await this.#findings(ns, { query, base, other }, differences.slice(0, limit), signal),
      hasMore: differences.length > limit,
      limit,
      tested,
      skipped,
      base: { window: base.window.requested, rows: counted.base.rows },
      other: { window: other.window.requested, rows: counted.other.rows },
      window: other.window.requested,
      complete: areWhole && counted.base.complete && counted.other.complete && beyondLimit === 0 && signals.warnings.length === 0,
      warnings: distinctWarnings(warnings),
      tookMs: this.#clock.monotonicMs() - startedMs
    }
  }

  async #findings(
    ns: Namespace,
    { query, base, other }: { readonly query: ComparisonQuery; readonly base: OpenSide; readonly other: OpenSide },
    differences: readonly Difference[],
    signal: AbortSignal
  ): Promise<readonly Finding[]> {
    const idsOf = (one: Difference['kind']) => differences.filter(({ kind }) => kind === one).map(({ value }) => value!)
    const [templates, errors] = await Promise.all([
      this.#records.templates(ns.id, idsOf('pattern')),
      this.#services.titles(ns.id, idsOf('error_group'), aroundBoth(base.range, other.range), signal)
    ])
    return differences.map(difference => {
      const side = evidenceSide(difference)
      const titles = difference.kind === 'error_group' ? errors : templates
      const evidence = { side, query: evidenceOf(difference, query[side].query) } as const
      return { ...difference, title: titles.get(difference.value ?? '') ?? null, evidence }
    })
  }

  /** Rows of a trace among the latest rows of a difference. */
  async #rowsPerTrace(
    sides: { readonly base: OpenSide; readonly other: OpenSide },
    difference: Difference,
    signal: AbortSignal
  ): Promise<number> {
    const { ns, range, filter } = sides[evidenceSide(difference)]
    const own = this.#records.filterOf({ query: evidenceOf(difference, undefined) })
    const request = { range, filter: allOf([filter, own]), rows: TRACED_ROWS }
    const { rows } = await this.#records.search(ns, request, signal)
    return rowsPerTrace(rows!.map(({ traceId }) => traceId))
  }

  /** Nothing of sides that share a window or differ in their filters: errors and metrics know no fields of logs and spans. */
  async #compareServices(
    ns: Namespace,
    {
      base,
      other,
      counted,
      nowNs
    }: { readonly base: OpenSide; readonly other: OpenSide; readonly counted: Counted; readonly nowNs: bigint },
    signal: AbortSignal
  ): Promise<ComparedSignal> {
    if (overlaps(base.range, other.range) || !hasSameFilter(base, other)) return { compared: [], warnings: [] }
    const count = async (range: TimeRange, filter: Filter): Promise<number> => {
      const { total } = await this.#records.search(ns.id, { range, filter, total: true }, signal)
      return total!.value
    }
    const windows = { base: base.range, other: other.range, services: servicesOf(counted), nowNs, count }
    return this.#services.compare(ns, windows, signal)
  }

  #open(ns: Namespace, { query, filters, ...bounds }: ComparedSide, nowNs: bigint): OpenSide {
    const filter = this.#records.filterOf({ query, filters })
    const window = readWindow(bounds, { namespace: ns, signal: this.#records.signal, nowNs }, HOUR_MS)
    return { ns: ns.id, filter, range: window.range, window }
  }

  #samples({ ns, range, filter }: OpenSide, signal: AbortSignal): readonly Promise<readonly FieldSummary[]>[] {
    return partsOf(range).map(async part => {
      const request = { range: part, filter, limit: MAX_SAMPLED_FIELDS, sampleRows: SAMPLE_ROWS }
      return (await this.#records.fields(ns, request, signal)).fields
    })
  }

  async #count(
    { base, other }: { readonly base: OpenSide; readonly other: OpenSide },
    { fields, named }: { readonly fields: readonly ComparedField[]; readonly named: ReadonlySet<string> },
    signal: AbortSignal
  ): Promise<Counted> {
    const { categories: known, measures: knownMeasures, search, vocabulary } = this.#records
    const free = fields.filter(({ bounds }) => bounds === undefined)
    const categories = [
      ...known.filter(({ field }) => !named.has(field.name)),
      ...free.map(({ field }) => ({ field, limit: MAX_COMPARED_VALUES }))
    ]
    const measures = [
      ...knownMeasures.filter(({ field }) => !named.has(field.name)),
      ...fields.filter(({ bounds }) => bounds !== undefined)
    ]
    const counted = { categories, measures }
    const [ofBase, ofOther] = await Promise.all([base, other].map(side => countSide(search, side, counted, signal)))
    const sides = { base: ofBase!, other: ofOther! }
    const [baseValues, otherValues] = await Promise.all([
      valueCounts(search, base, { own: sides.base, other: sides.other }, signal),
      valueCounts(search, other, { own: sides.other, other: sides.base }, signal)
    ])
    const values = comparedValues(sides, { base: baseValues, other: otherValues }, vocabulary)
    return { ...sides, compared: [...values.compared, ...comparedMeasures(sides, measures)], notes: values.notes }
  }

  /** Reasons for a comparison that finds nothing, or that counts rows twice. */
  #hints({ base, other }: { readonly base: OpenSide; readonly other: OpenSide }, counted: Counted): readonly string[] {
    const { name } = this.#records
    const empty = (['base', 'other'] as const).filter(side => counted[side].rows === 0)
    const isRepeated = overlaps(base.range, other.range) && hasSameFilter(base, other)
    return [
      ...empty.map(side => `no ${name} match ${side}: nothing can be compared`),
      ...(isRepeated ? [`the windows overlap: ${name} of both count on both sides`] : [])
    ]
  }
}

/** Services of the rows of both sides, those with most rows. */
function servicesOf({ base, other }: Counted): readonly string[] {
  const counts = new Map<string, number>()
  const facets = [base, other].flatMap(side =>
    side.facets.filter(({ field }) => field.in === 'known' && field.name === 'service')
  )
  for (const { value, count } of facets.flatMap(({ values }) => values)) counts.set(value, (counts.get(value) ?? 0) + count)
  const sorted = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return sorted.map(([service]) => service)
}

interface Counted {
  readonly base: SideCounts
  readonly other: SideCounts
  readonly compared: readonly Compared[]
  readonly notes: readonly string[]
}
