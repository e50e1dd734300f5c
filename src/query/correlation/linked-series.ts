import { GatewayError } from '../../domain/errors.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { LabelMatcher, MetricStore } from '../../ports/metric-store.js'
import { escapeRegex } from '../search-language/regex-subset.js'
import type { Link } from './correlation-answer.js'
import { labelsOfBasis, matcherOf } from './origins.js'

/** Bounds of one question: beyond them it looks at fewer series and says so. */
export interface SeriesBudget {
  readonly maxSeries: number
  readonly maxSamples: number
}

export interface LinkedSeries {
  readonly link: Link
  readonly series: readonly SeriesSamples[]
}

export interface FoundSeries {
  readonly found: readonly LinkedSeries[]
  readonly warnings: readonly string[]
}

interface Lookup {
  readonly ns: Namespace
  readonly links: readonly Link[]
  readonly range: TimeRange
  /** Which metrics are wanted. */
  readonly isWanted: (name: string) => boolean
  /** Narrows the names in the store, so that others use up no bound; may let more through than `isWanted`. */
  readonly names?: LabelMatcher
  readonly signal: AbortSignal
}

/** Metrics of one select: a regex of more names would outgrow the limit on regexes. */
const NAMES_AT_ONCE = 50
/** The buckets of a histogram move all together: its sum and its count speak for them. */
const NO_BUCKETS: LabelMatcher = { name: '__name__', op: 'not_regex', value: '.*_bucket' }

function identity({ name, labels }: Pick<SeriesSamples, 'name' | 'labels'>): string {
  return JSON.stringify([name, ...labels.map(label => [label.name, label.value])])
}

function namesMatcher(names: readonly string[]): LabelMatcher {
  const [only] = names
  if (names.length === 1) return { name: '__name__', op: 'eq', value: only! }
  return { name: '__name__', op: 'regex', value: names.map(escapeRegex).join('|') }
}

interface Progress {
  readonly seen: Set<string>
  /** Metrics that were too large to be read. */
  readonly skipped: Set<string>
  left: SeriesBudget
  isCut: boolean
}

/** Counts a series against the budget once. */
function isNew(one: SeriesSamples, progress: Progress): boolean {
  const key = identity(one)
  if (progress.seen.has(key)) return false
  progress.seen.add(key)
  const { maxSeries, maxSamples } = progress.left
  progress.left = { maxSeries: maxSeries - 1, maxSamples: maxSamples - one.values.length }
  return true
}

/** Reads the series that carry the values of links, each under its strongest link. */
export class LinkedSeriesReader {
  readonly #metrics: MetricStore
  readonly #budget: SeriesBudget

  constructor(metrics: MetricStore, budget: SeriesBudget) {
    this.#metrics = metrics
    this.#budget = budget
  }

  async read(lookup: Lookup): Promise<FoundSeries> {
    const progress: Progress = { seen: new Set(), skipped: new Set(), left: this.#budget, isCut: false }
    const found: LinkedSeries[] = []
    for (const link of lookup.links) {
      const series: SeriesSamples[] = []
      for (const label of labelsOfBasis(link.basis))
        series.push(...(await this.#ofLabel(lookup, matcherOf(label, link), progress)))
      found.push({ link, series })
    }
    return { found, warnings: this.#warnings(progress) }
  }

  /** The series that one label leads to and none before it did. */
  async #ofLabel(lookup: Lookup, matcher: LabelMatcher, progress: Progress): Promise<readonly SeriesSamples[]> {
    const { names, hasMore } = await this.#names(lookup, matcher, progress.left.maxSeries)
    progress.isCut ||= hasMore
    const fresh: SeriesSamples[] = []
    for (let i = 0; i < names.length; i += NAMES_AT_ONCE) {
      const part = { matcher, names: names.slice(i, i + NAMES_AT_ONCE), budget: progress.left, skipped: progress.skipped }
      const read = await this.#select(lookup, part)
      fresh.push(...read.filter(one => isNew(one, progress)))
    }
    return fresh
  }

  /** Names of metrics that have such a series, as many as the budget allows for. */
  async #names(
    { ns, range, isWanted, names: narrowed, signal }: Lookup,
    matcher: LabelMatcher,
    limit: number
  ): Promise<{ readonly names: readonly string[]; readonly hasMore: boolean }> {
    const matchers = [matcher, NO_BUCKETS, ...(narrowed ? [narrowed] : [])]
    const { series, hasMore } = await this.#metrics.series(ns.id, matchers, range, Math.max(limit, 1), signal)
    if (limit <= 0) return { names: [], hasMore: series.length > 0 }
    const names = new Set(series.map(({ name }) => name).filter(isWanted))
    return { names: [...names].sort(), hasMore }
  }

  /** A chunk that holds too much is halved; a single metric that does is skipped. */
  async #select(
    lookup: Lookup,
    part: {
      readonly matcher: LabelMatcher
      readonly names: readonly string[]
      readonly budget: SeriesBudget
      readonly skipped: Set<string>
    }
  ): Promise<readonly SeriesSamples[]> {
    const { ns, range, signal } = lookup
    const { names, matcher, budget, skipped } = part
    if (budget.maxSeries <= 0 || budget.maxSamples <= 0) {
      for (const name of names) skipped.add(name)
      return []
    }
    try {
      return await this.#metrics.select(ns.id, { matchers: [namesMatcher(names), matcher], range, ...budget }, signal)
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'query_unsupported') throw error
      if (names.length === 1) {
        skipped.add(names[0]!)
        return []
      }
      const middle = names.length >>> 1
      const first = await this.#select(lookup, { ...part, names: names.slice(0, middle) })
      const read = first.reduce((sum, { values }) => sum + values.length, 0)
      const rest = { maxSeries: budget.maxSeries - first.length, maxSamples: budget.maxSamples - read }
      return [...first, ...(await this.#select(lookup, { ...part, names: names.slice(middle), budget: rest }))]
    }
  }

  #warnings({ isCut, skipped }: Progress): readonly string[] {
    const { maxSeries, maxSamples } = this.#budget
    const most = `${maxSeries} series and ${maxSamples} points`
    return [
      ...(isCut ? [`there are more series than the ${maxSeries} that one question looks at: name metrics`] : []),
      ...(skipped.size > 0
        ? [`${skipped.size} metrics were left out, ${[...skipped][0]} among them: one question reads ${most}`]
        : [])
    ]
  }
}
