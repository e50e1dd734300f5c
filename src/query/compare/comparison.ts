import type { Filter } from '../../domain/filter.js'
import type { Namespace, RetainedSignal } from '../../domain/namespace.js'
import type { FieldSummary, SearchRequest, SearchResult } from '../../domain/search.js'
import type { ResolvedWindow, TimeRange } from '../../domain/time-range.js'
import { type Cut, distinctWarnings, type Warning } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { boundedCount } from '../bounds.js'
import type { FieldCondition } from '../conditions.js'
import type { LargeReads } from '../large-reads.js'
import { HOUR_MS, readWindow, type ReadWindow } from '../read-window.js'
import type { ResultFacts, WindowBounds } from '../result.js'
import { writeBoth, writeCompared, writeEquals, writeExists } from '../search-language/write-condition.js'
import type { Vocabulary } from '../vocabulary.js'
import { type Compared, type Difference, significantDifferences } from './differences.js'
import { type ComparedField, comparedFields, MAX_COMPARED_FIELDS, type SkippedField } from './compared-fields.js'
import { comparedMeasures, comparedValues } from './compared-counts.js'
import { namedFields } from './named-fields.js'
import { type CountedField, countSide, type SideCounts, type SideScope, valueCounts } from './side-counts.js'

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
  /** Of a pattern: its template. */
  readonly template: string | null
  /** The side that has most of the rows, and the query that finds them among its window and filters. */
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
  ) => Promise<Pick<SearchResult<unknown>, 'total' | 'facets' | 'distributions' | 'complete' | 'warnings'>>
  readonly fields: LogStore['fields']
  /** The templates of patterns. */
  readonly templates: (ns: Namespace['id'], ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const DEFAULT_DIFFERENCES = 20
export const MAX_DIFFERENCES = 100
/** Values of a field that each side lists, most frequent first. */
export const MAX_COMPARED_VALUES = 200
/** Fields are looked for in the latest rows of so many equal parts of each window. */
const SAMPLE_PARTS = 4
/** Rows of each part. */
const SAMPLE_ROWS = 500
const MAX_SAMPLED_FIELDS = 200

function partsOf({ startNs, endNs }: TimeRange): readonly TimeRange[] {
  const at = (i: number) => startNs + ((endNs - startNs) * BigInt(i)) / BigInt(SAMPLE_PARTS)
  return Array.from({ length: SAMPLE_PARTS }, (_, i) => ({ startNs: at(i), endNs: at(i + 1) })).filter(
    part => part.startNs < part.endNs
  )
}

/** A warning about one side; its cut may be outside of the window of the result. */
function ofSide(side: 'base' | 'other', warning: Warning): Warning {
  if (typeof warning === 'string') return `${side}: ${warning}`
  const { range: _, ...cut } = warning
  return { ...cut, detail: `${side}: ${cut.detail}` }
}

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

interface OpenSide extends SideScope {
  readonly window: ReadWindow
}

/** Compares the records of two windows or two filters. */
export class Comparison {
  readonly #records: ComparableRecords
  readonly #clock: Clock
  readonly #largeReads: LargeReads

  constructor(records: ComparableRecords, deps: { readonly clock: Clock; readonly largeReads: LargeReads }) {
    this.#records = records
    this.#clock = deps.clock
    this.#largeReads = deps.largeReads
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
    const { tested, differences } = significantDifferences(counted.compared)
    const warnings = [
      ...sideWarnings('base', base, counted.base),
      ...sideWarnings('other', other, counted.other),
      ...(beyondLimit > 0 ? [tooManyFields(beyondLimit)] : []),
      ...counted.notes,
      ...this.#hints({ base, other }, counted)
    ]
    const areWhole = [base, other].every(({ window }) => window.warnings.length === 0)
    return {
      findings: await this.#findings(ns, query, differences.slice(0, limit)),
      hasMore: differences.length > limit,
      limit,
      tested,
      skipped,
      base: { window: base.window.requested, rows: counted.base.rows },
      other: { window: other.window.requested, rows: counted.other.rows },
      window: other.window.requested,
      complete: areWhole && counted.base.complete && counted.other.complete && beyondLimit === 0,
      warnings: distinctWarnings(warnings),
      tookMs: this.#clock.monotonicMs() - startedMs
    }
  }

  async #findings(ns: Namespace, query: ComparisonQuery, differences: readonly Difference[]): Promise<readonly Finding[]> {
    const ids = differences.filter(({ kind }) => kind === 'pattern').map(({ value }) => value!)
    const templates = await this.#records.templates(ns.id, ids)
    return differences.map(difference => {
      const side = difference.effect > 0 ? 'other' : 'base'
      const evidence = { side, query: writeBoth(query[side].query, conditionOf(difference)) } as const
      return { ...difference, template: templates.get(difference.value ?? '') ?? null, evidence }
    })
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
    const overlap = base.range.startNs < other.range.endNs && other.range.startNs < base.range.endNs
    const isRepeated = overlap && JSON.stringify(base.filter) === JSON.stringify(other.filter)
    return [
      ...empty.map(side => `no ${name} match ${side}: nothing can be compared`),
      ...(isRepeated ? [`the windows overlap: ${name} of both count on both sides`] : [])
    ]
  }
}

/** The condition that finds the rows of a difference. */
function conditionOf({ kind, name, value }: Difference): string {
  if (value === null) return writeExists(name)
  return kind === 'measure' ? writeCompared(name, value) : writeEquals(name, value)
}

interface Counted {
  readonly base: SideCounts
  readonly other: SideCounts
  readonly compared: readonly Compared[]
  readonly notes: readonly string[]
}

function sideWarnings(side: 'base' | 'other', { window }: OpenSide, { warnings }: SideCounts): readonly Warning[] {
  return [...window.warnings, ...warnings].map(warning => ofSide(side, warning))
}
