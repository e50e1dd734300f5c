import { isOverflow } from '../../domain/overflow.js'
import type { Cardinality, CardinalityRequest, LabelCardinality, SeriesGrowth, SeriesInfo } from '../../ports/metric-store.js'
import { Pace } from '../../threads/pace.js'

type CountableSeries = Pick<SeriesInfo, 'name' | 'labels' | 'firstSeenNs'>
type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Tally = Writable<SeriesGrowth>

/** A label and its values, each with the time when it was seen first. */
interface LabelTally extends Tally {
  readonly values: Map<string, { readonly id: number; firstNs: bigint }>
}

/** A series as the ids of its labels with their values, in the order of the labels' names. */
interface Pairs {
  readonly labels: readonly string[]
  readonly ids: readonly number[]
}

/** Labels, and series, that are looked at between two yields to the event loop: some milliseconds. */
const LABELS_AT_ONCE = 20_000

/** Counts series by what they are made of; see `MetricStore.cardinality`. Others have their turn every few milliseconds. */
export async function countSeries(
  series: Iterable<CountableSeries>,
  budget: Pick<Cardinality, 'maxSeries' | 'activeSeries'>,
  request: CardinalityRequest,
  signal: AbortSignal
): Promise<Cardinality> {
  const counting = new Counting(request, new Pace(LABELS_AT_ONCE, signal))
  await counting.read([...series])
  const labels = await counting.labels()
  return { ...budget, ...counting.all, ...labels, ...counting.lists(), found: counting.found }
}

class Counting {
  readonly #request: CardinalityRequest
  readonly #pace: Pace
  readonly #metrics = new Map<string, Tally>()
  readonly #services = new Map<string, Tally>()
  readonly #labels = new Map<string, LabelTally>()
  readonly #pairsOf = new Map<string, Pairs[]>()
  readonly #total: Tally = emptyTally()
  #overflow = 0
  #pairs = 0

  constructor(request: CardinalityRequest, pace: Pace) {
    this.#request = request
    this.#pace = pace
  }

  get all(): SeriesGrowth & { readonly overflowSeries: number } {
    return { ...this.#total, overflowSeries: this.#overflow }
  }

  get found(): Cardinality['found'] {
    return { metrics: this.#metrics.size, services: this.#services.size, labels: this.#labels.size }
  }

  async read(series: readonly CountableSeries[]): Promise<void> {
    const { metric } = this.#request
    for (const each of series) {
      if (this.#pace.isDue(each.labels.length + 1)) await this.#pace.rest()
      if (metric === undefined || each.name === metric) this.#add(each)
    }
  }

  lists(): Pick<Cardinality, 'metrics' | 'services'> {
    const list = (tallies: ReadonlyMap<string, Tally>): Cardinality['metrics'] =>
      this.#first(Array.from(tallies, ([name, tally]) => ({ name, ...tally })))
    return { metrics: list(this.#metrics), services: list(this.#services) }
  }

  async labels(): Promise<Pick<Cardinality, 'labels'>> {
    const { hourAgoNs, dayAgoNs } = this.#request
    const tallies = Array.from(this.#labels, ([name, { values, ...tally }]) => {
      const firsts = Array.from(values.values(), ({ firstNs }) => firstNs)
      const newValuesHour = firsts.filter(ns => ns >= hourAgoNs).length
      const newValuesDay = firsts.filter(ns => ns >= dayAgoNs).length
      return { name, ...tally, values: values.size, newValuesHour, newValuesDay }
    })
    const labels: LabelCardinality[] = []
    for (const label of this.#first(tallies)) labels.push({ ...label, seriesWithout: await this.#without(label.name) })
    return { labels }
  }

  #add({ name, labels, firstSeenNs }: CountableSeries): void {
    this.#count(this.#total, firstSeenNs)
    this.#count(tallyOf(this.#metrics, name), firstSeenNs)
    if (isOverflow(labels)) this.#overflow++
    const own = (requested: string): string | undefined => labels.find(label => label.name === requested)?.value
    const service = own('service') ?? own('job')
    if (service !== undefined) this.#count(tallyOf(this.#services, service), firstSeenNs)
    const ids = labels.map(label => this.#addLabel(label.name, label.value, firstSeenNs))
    if (!this.#request.withSavings) return
    const pairs = { labels: labels.map(label => label.name), ids }
    const named = this.#pairsOf.get(name)
    if (named) named.push(pairs)
    else this.#pairsOf.set(name, [pairs])
  }

  #addLabel(name: string, value: string, firstNs: bigint): number {
    const tally = this.#labels.get(name) ?? { ...emptyTally(), values: new Map() }
    this.#labels.set(name, tally)
    this.#count(tally, firstNs)
    const known = tally.values.get(value)
    if (!known) {
      tally.values.set(value, { id: this.#pairs, firstNs })
      return this.#pairs++
    }
    if (firstNs < known.firstNs) known.firstNs = firstNs
    return known.id
  }

  #count(tally: Tally, firstNs: bigint): void {
    tally.series++
    if (firstNs >= this.#request.hourAgoNs) tally.newHour++
    if (firstNs >= this.#request.dayAgoNs) tally.newDay++
  }

  /** Series that were equal but for this label become one. */
  async #without(label: string): Promise<number | null> {
    if (!this.#request.withSavings) return null
    let left = 0
    for (const series of this.#pairsOf.values()) {
      if (!series.some(({ labels }) => labels.includes(label))) {
        left += series.length
        continue
      }
      const keys = new Set<string>()
      for (const { labels, ids } of series) {
        if (this.#pace.isDue(ids.length + 1)) await this.#pace.rest()
        keys.add(keyWithout(labels, ids, label))
      }
      left += keys.size
    }
    return left
  }

  #first<
    CachedSelect extends SeriesGrowth & {
      readonly name: string
      readonly values?: number
      readonly newValuesHour?: number
      readonly newValuesDay?: number
    }
  >(entries: CachedSelect[]): CachedSelect[] {
    const { order, limit } = this.#request
    const size = (entry: CachedSelect): number => {
      if (order === 'hour') return entry.newValuesHour ?? entry.newHour
      return order === 'day' ? (entry.newValuesDay ?? entry.newDay) : (entry.values ?? entry.series)
    }
    return entries.sort((a, b) => size(b) - size(a) || b.series - a.series || (a.name < b.name ? -1 : 1)).slice(0, limit)
  }
}

function keyWithout(labels: readonly string[], ids: readonly number[], left: string): string {
  let key = ''
  for (let i = 0; i < ids.length; i++) if (labels[i] !== left) key += `${ids[i]},`
  return key
}

function emptyTally(): Tally {
  return { series: 0, newHour: 0, newDay: 0 }
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? emptyTally()
  tallies.set(name, tally)
  return tally
}
