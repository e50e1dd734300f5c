import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { LabelMatcher, MetricStore } from '../../ports/metric-store.js'
import { escapeRegex } from '../search-language/regex-subset.js'
import type { AttributeLink } from './correlation-result.js'
import { labelsOfBasis, labelMatcherOf } from './origins.js'
import type { Warning } from '../../domain/warning.js'

/** Bounds of one query: beyond them it looks at fewer series and reports it. */
export interface SeriesBudget {
  readonly maxSeries: number
  readonly maxSamples: number
}

/** A series with the link by which it was found. */
export interface LinkedSeries {
  readonly link: AttributeLink
  /** Counted out of logs and spans, not stored. */
  readonly isCounted: boolean
  readonly series: readonly SeriesSamples[]
}

/** All linked series within the budget. */
export interface LinkedSeriesResult {
  readonly found: readonly LinkedSeries[]
  readonly warnings: readonly Warning[]
}

interface Lookup {
  readonly ns: Namespace
  readonly links: readonly AttributeLink[]
  readonly range: TimeRange
  /** Selects the requested metrics. */
  readonly isRequested: (name: string) => boolean
  /** Distance of the points that are compared. */
  readonly stepMs: number
  /** Narrows the names in the store, so that others use up no bound; may let more through than `isRequested`. */
  readonly names?: LabelMatcher
  readonly signal: AbortSignal
}

/** What is counted out of the logs and spans of a service; the mean duration is made of two. */
const COUNTED = ['log_records_total', 'spans_total', 'span_duration_seconds_sum', 'span_duration_seconds_count'] as const

/** Whether a metric is counted out of logs and spans. */
export function isCountedMetric(name: string): boolean {
  return COUNTED.some(counted => counted === name)
}

/** Counted in windows of so many steps: four samples of such a metric fit into one. */
const STEPS_PER_WINDOW = 4
/** Metrics that were left out of which a warning names the reason. */
const MAX_LEFT_OUT = 5
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

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LEFT_OUT
  return `${names.slice(0, MAX_LEFT_OUT).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

interface Progress {
  readonly seen: Set<string>
  /** Metrics that were not read, and why. */
  readonly skipped: Map<string, string>
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

  async read(lookup: Lookup): Promise<LinkedSeriesResult> {
    const progress: Progress = { seen: new Set(), skipped: new Map(), left: this.#budget, isCut: false }
    const found: LinkedSeries[] = []
    for (const link of lookup.links) {
      const series: SeriesSamples[] = []
      for (const label of labelsOfBasis(link.basis))
        series.push(...(await this.#ofLabel(lookup, labelMatcherOf(label, link), progress)))
      found.push({ link, series, isCounted: false })
    }
    const service = lookup.links.find(({ basis }) => basis === 'service')
    if (service) found.push({ link: service, series: await this.#counted(lookup, service, progress), isCounted: true })
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

  /** What moved with a service in its logs and spans shows there before any metric of its own. */
  async #counted(lookup: Lookup, link: AttributeLink, progress: Progress): Promise<readonly SeriesSamples[]> {
    const { ns, range, isRequested, stepMs, signal } = lookup
    const matcher: LabelMatcher = { name: 'service', op: 'eq', value: link.value }
    const fresh: SeriesSamples[] = []
    for (const name of COUNTED.filter(isRequested)) {
      const { maxSeries, maxSamples } = progress.left
      const budget = {
        maxSeries: Math.max(maxSeries, 0),
        maxSamples: Math.max(maxSamples, 0),
        windowMs: stepMs * STEPS_PER_WINDOW
      }
      try {
        const read = await this.#metrics.select(ns.id, { matchers: [namesMatcher([name]), matcher], range, ...budget }, signal)
        fresh.push(...read.filter(one => isNew(one, progress)))
      } catch (error) {
        signal.throwIfAborted()
        if (!isGatewayError(error)) throw error
        progress.skipped.set(name, error.message)
      }
    }
    return fresh
  }

  /** Names of metrics that have such a series, as many as the budget allows for. */
  async #names(
    { ns, range, isRequested, names: narrowed, signal }: Lookup,
    matcher: LabelMatcher,
    limit: number
  ): Promise<{ readonly names: readonly string[]; readonly hasMore: boolean }> {
    const matchers = [matcher, NO_BUCKETS, ...(narrowed ? [narrowed] : [])]
    const { series, hasMore } = await this.#metrics.series(ns.id, matchers, range, Math.max(limit, 1), signal)
    if (limit <= 0) return { names: [], hasMore: series.length > 0 }
    const names = new Set(series.map(({ name }) => name).filter(isRequested))
    return { names: [...names].sort(), hasMore }
  }

  /** A chunk that holds too much is halved; a single metric that does is skipped. */
  async #select(
    lookup: Lookup,
    part: {
      readonly matcher: LabelMatcher
      readonly names: readonly string[]
      readonly budget: SeriesBudget
      readonly skipped: Map<string, string>
    }
  ): Promise<readonly SeriesSamples[]> {
    const { ns, range, signal } = lookup
    const { names, matcher, budget, skipped } = part
    if (budget.maxSeries <= 0 || budget.maxSamples <= 0) {
      for (const name of names) skipped.set(name, this.#bound)
      return []
    }
    try {
      return await this.#metrics.select(ns.id, { matchers: [namesMatcher(names), matcher], range, ...budget }, signal)
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'query_unsupported') throw error
      if (names.length === 1) {
        skipped.set(names[0]!, this.#bound)
        return []
      }
      const middle = names.length >>> 1
      const first = await this.#select(lookup, { ...part, names: names.slice(0, middle) })
      const read = first.reduce((sum, { values }) => sum + values.length, 0)
      const rest = { maxSeries: budget.maxSeries - first.length, maxSamples: budget.maxSamples - read }
      return [...first, ...(await this.#select(lookup, { ...part, names: names.slice(middle), budget: rest }))]
    }
  }

  get #bound(): string {
    const { maxSeries, maxSamples } = this.#budget
    return `a request reads at most ${maxSeries} series and ${maxSamples} points; set metrics`
  }

  #warnings({ isCut, skipped }: Progress): readonly string[] {
    const { maxSeries } = this.#budget
    const byReason = new Map<string, string[]>()
    for (const [name, reason] of skipped) byReason.set(reason, [...(byReason.get(reason) ?? []), name])
    return [
      ...(isCut ? [`the series exceed the limit of ${maxSeries} of one request; set metrics`] : []),
      ...[...byReason].map(([reason, metrics]) => `${metrics.length} metrics were left out (${listed(metrics)}): ${reason}`)
    ]
  }
}
