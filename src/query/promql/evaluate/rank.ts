import type { Aggregation } from '../syntax/ast.js'
import type { Group } from './aggregate.js'
import type { GridSeries } from './values.js'

const MAX_HASH = 4_294_967_296

function kept({ labels, values }: GridSeries, present: Uint8Array): GridSeries {
  return { labels, values, present }
}

/** `topk` and `bottomk`: which series stay is decided step by step; NaN is worse than any number. */
function rank({ members }: Group, counts: Float64Array, direction: 1 | -1): readonly GridSeries[] {
  const masks = members.map(({ present }) => new Uint8Array(present.length))
  const order = (step: number) => (a: number, b: number) => {
    const [left, right] = [members[a]!.values[step]!, members[b]!.values[step]!]
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
    return direction * (right - left)
  }
  for (let step = 0; step < counts.length; step++) {
    const here = members.flatMap((member, i) => (member.present[step] === 1 ? [i] : [])).sort(order(step))
    for (const i of here.slice(0, Math.max(0, Math.floor(counts[step]!)))) masks[i]![step] = 1
  }
  const results = members.map((member, i) => kept(member, masks[i]!))
  // An instant query answers them best first.
  if (counts.length !== 1) return results
  const found = members.flatMap((member, i) => (masks[i]![0] === 1 ? [i] : [])).sort(order(0))
  return found.map(i => results[i]!)
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

/** The aggregations that choose among the series of each group and leave them as they are. */
export function chooseSeries(expr: Aggregation, groups: readonly Group[], param: Float64Array): readonly GridSeries[] {
  return groups.flatMap(group => {
    switch (expr.op) {
      case 'topk':
        return rank(group, param, 1)
      case 'bottomk':
        return rank(group, param, -1)
      case 'limitk':
        return limit(group, param)
      default:
        return limitRatio(group, param)
    }
  })
}
