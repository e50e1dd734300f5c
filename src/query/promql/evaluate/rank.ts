import type { Aggregation } from '../syntax/ast.js'
import { BestValues } from './best-values.js'
import type { Group } from './group.js'
import type { Notes } from './notes.js'
import { compareNumbers } from './sort.js'
import type { GridSeries } from './values.js'

const MAX_HASH = 4_294_967_296

function kept({ labels, values, histograms }: GridSeries, present: Uint8Array): GridSeries {
  return { labels, values, present, histograms }
}

/** `topk` and `bottomk`: which series stay is decided step by step. */
function rank({ members }: Group, counts: Float64Array, direction: 1 | -1): readonly GridSeries[] {
  const masks = members.map(({ present }) => new Uint8Array(present.length))
  const row = new Float64Array(members.length)
  for (let step = 0; step < counts.length; step++) {
    const best = new BestValues(row, Math.max(0, Math.floor(counts[step]!)), direction)
    for (const [i, { present, values }] of members.entries()) {
      row[i] = values[step]!
      if (present[step] === 1) best.add(i)
    }
    for (const i of best.heap) masks[i]![step] = 1
  }
  const results = members.map((member, i) => kept(member, masks[i]!))
  // An instant query returns them best first.
  if (counts.length !== 1) return results
  const found = members.flatMap((_, i) => (masks[i]![0] === 1 ? [i] : []))
  const bestFirst = direction === 1 ? -1 : 1
  return found.sort((a, b) => compareNumbers(row[a]!, row[b]!, bestFirst)).map(i => results[i]!)
}

/** `limitk`: the first k of each group. */
function limit({ members }: Group, counts: Float64Array): readonly GridSeries[] {
  const taken = counts.map(() => 0)
  return members.map(member =>
    kept(
      member,
      member.present.map((has, step) => {
        const isTaken = has === 1 && taken[step]! < Math.floor(counts[step]!)
        if (isTaken) taken[step]! += 1
        return isTaken ? 1 : 0
      })
    )
  )
}

/** A number in [0, 1) that the labels alone decide. */
function shareOf({ labels }: GridSeries): number {
  let hash = 0x811c9dc5
  for (const char of labels.key) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) / MAX_HASH
}

/** `limit_ratio`: about this share of the series; of -0.3 the ones that 0.7 leaves out. */
function limitRatio({ members }: Group, ratios: Float64Array): readonly GridSeries[] {
  return members.map(member => {
    const share = shareOf(member)
    const isIn = (ratio: number): boolean => (ratio >= 0 ? share < ratio : share >= 1 + ratio)
    return kept(
      member,
      member.present.map((has, step) => (has === 1 && isIn(ratios[step]!) ? 1 : 0))
    )
  })
}

/** The group as far as it has numbers, which alone can be compared. */
function numbersOf({ labels, members }: Group, { op, position }: Aggregation, notes: Notes): Group {
  if (members.every(({ histograms }) => histograms === undefined)) return { labels, members }
  const numbers = members.map(member => {
    const { present, histograms } = member
    const kinds = present.map((has, i) => (has === 1 && histograms?.[i] === undefined ? 1 : 0))
    if (kinds.some((has, i) => has !== present[i])) notes.inform(`ignored histogram in ${op} aggregation`, position)
    return kept(member, kinds)
  })
  return { labels, members: numbers }
}

/** The aggregations that choose among the series of each group and leave them as they are. */
export function chooseSeries(
  expr: Aggregation,
  groups: readonly Group[],
  param: Float64Array,
  notes: Notes
): readonly GridSeries[] {
  return groups.flatMap(group => {
    switch (expr.op) {
      case 'topk':
        return rank(numbersOf(group, expr, notes), param, 1)
      case 'bottomk':
        return rank(numbersOf(group, expr, notes), param, -1)
      case 'limitk':
        return limit(group, param)
      default:
        return limitRatio(group, param)
    }
  })
}
