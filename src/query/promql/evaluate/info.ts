import { groupedBy } from '../../../domain/grouped-by.js'
import { matcherTest } from '../label-matcher.js'
import { type LabelSet, NAME } from '../labels.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Call } from '../syntax/ast.js'
import type { Bounds } from './budget.js'
import { dataMatchers, infoNameMatchers } from './info-selector.js'
import { mergeSeries } from './merge-series.js'
import { cellAt, emptySeries, type GridSeries, setCell } from './values.js'

/** The labels by which a series finds what is known of its target. */
const IDENTIFYING = ['instance', 'job'] as const

function identityOf(labels: LabelSet): string {
  return labels.only(IDENTIFYING).key
}

/** Information by identity, then by the name of its metric. */
function byIdentity(info: readonly GridSeries[]): ReadonlyMap<string, readonly (readonly GridSeries[])[]> {
  const found = groupedBy(info, ({ labels }) => identityOf(labels))
  const byName = (series: readonly GridSeries[]) => [...groupedBy(series, ({ labels }) => labels.get(NAME)).values()]
  return new Map([...found].map(([identity, series]) => [identity, byName(series)]))
}

/** The newest of the series of one metric at a step; null when none has a sample. */
function newestAt(series: readonly GridSeries[], step: number): GridSeries | null {
  let newest: GridSeries | null = null
  for (const one of series) {
    if (one.present[step] === 0) continue
    if (newest !== null && newest.values[step] === one.values[step]) {
      throw new PromqlExecutionError(`found duplicate series for info metric: ${newest.labels.get(NAME)}`)
    }
    if (newest === null || one.values[step]! > newest.values[step]!) newest = one
  }
  return newest
}

/** Labels of a series with those of its information; its own go first. */
function enriched(labels: LabelSet, info: readonly GridSeries[], requested: ReadonlySet<string>): LabelSet {
  const added = new Map<string, string>()
  for (const { labels: more } of info) {
    for (const { name, value } of more.labels) {
      if (name === NAME || (requested.size > 0 && !requested.has(name))) continue
      const known = added.get(name)
      if (known !== undefined && known !== value) throw new PromqlExecutionError(`conflicting label: ${name}`)
      if (labels.get(name) === '') added.set(name, value)
    }
  }
  return [...added].reduce((all, [name, value]) => all.with(name, value), labels)
}

/**
 * `info`: adds the labels of info series to the series of their target. `info` are those series with the times of their
 * samples as values. Series that are information themselves stay as they are. The others are counted as they are made: how
 * many they are shows only in their information.
 */
export function joinInfo(
  call: Call,
  base: readonly GridSeries[],
  info: readonly GridSeries[],
  budget: Bounds
): readonly GridSeries[] {
  const data = dataMatchers(call).filter(({ name }) => name !== NAME)
  const requested = new Set(data.map(({ name }) => name))
  const needsInfo = data.some(matcher => !matcherTest(matcher)(''))
  const isInfo = infoNameMatchers(call).map(matcherTest)
  const known = byIdentity(info)
  const results = base.flatMap(one => {
    if (isInfo.every(test => test(one.labels.get(NAME)))) return [one]
    const identity = identityOf(one.labels)
    return joinOne(one, identity === '' ? [] : (known.get(identity) ?? []), { requested, needsInfo, budget })
  })
  return mergeSeries(results)
}

interface Joining {
  readonly requested: ReadonlySet<string>
  readonly needsInfo: boolean
  readonly budget: Bounds
}

function joinOne(
  base: GridSeries,
  info: readonly (readonly GridSeries[])[],
  { requested, needsInfo, budget }: Joining
): readonly GridSeries[] {
  const steps = base.present.length
  const looks = info.reduce((sum, series) => sum + series.length, 0)
  const results = new Map<string, GridSeries>()
  const byChoice = new Map<string, GridSeries>()
  for (let i = 0; i < steps; i++) {
    if (base.present[i] === 0) continue
    budget.work(looks)
    const chosen = info.map(series => newestAt(series, i)).filter(series => series !== null)
    if (chosen.length === 0 && needsInfo) continue
    const choice = chosen.map(({ labels }) => labels.key).join('\u0001')
    let result = byChoice.get(choice)
    if (result === undefined) {
      const labels = enriched(base.labels, chosen, requested)
      result = results.get(labels.key)
      if (result === undefined) {
        budget.take(steps)
        result = emptySeries(labels, steps)
        results.set(labels.key, result)
      }
      byChoice.set(choice, result)
    }
    setCell(result, i, cellAt(base, i))
  }
  return [...results.values()]
}
