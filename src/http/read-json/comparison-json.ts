import { windowReply } from '../../domain/time-range.js'
import type { ComparisonResult, Finding, SideFacts } from '../../query/compare/comparison.js'
import type { Static } from '../json-schema.js'
import type { COMPARE } from '../routes/compare-schemas.js'
import { factsJson, pageJson, wholePage } from './facts-json.js'

type ComparisonReply = Static<(typeof COMPARE)['response'][200]>

/** Digits of effects and p-values: more have no meaning. */
const DIGITS = 4

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS))
}

function findingJson({ kind, name, value, title, effect, q, evidence, ...counts }: Finding): ComparisonReply['findings'][0] {
  return {
    kind,
    name: title ?? name,
    value,
    base_count: counts.baseCount,
    base_total: counts.baseTotal,
    other_count: counts.count,
    other_total: counts.total,
    effect: rounded(effect),
    q: rounded(q),
    evidence
  }
}

function sideJson({ window, rows }: SideFacts): ComparisonReply['base'] {
  const { start, end } = windowReply(window)
  return { start, end, rows }
}

/** The result of a comparison. */
export function comparisonJson(result: ComparisonResult): ComparisonReply {
  const { findings, tested, skipped, base, other, hasMore, limit } = result
  return {
    findings: findings.map(findingJson),
    ...{ tested, skipped, base: sideJson(base), other: sideJson(other) },
    ...pageJson(wholePage(hasMore, limit), null),
    ...factsJson(result)
  }
}
