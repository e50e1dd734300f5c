import { formatNs } from '../../domain/timestamp.js'
import type { PatternChange } from '../../query/patterns/changed-patterns.js'
import type { ListedPattern, PatternDetail } from '../../query/patterns/pattern-list.js'
import type { PatternVariable, PatternVariables } from '../../query/patterns/pattern-variables.js'
import { logJson } from './log-json.js'

const NS_PER_MS = 1_000_000n
/** Digits of effects and p-values: more have no meaning. */
const DIGITS = 4

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS))
}

function timeJson(ns: bigint | null): string | null {
  return ns === null ? null : formatNs(ns)
}

function changeJson(change: PatternChange | null): object | null {
  if (change === null) return null
  const { kind, baseCount, baseTotal, effect, q } = change
  return { kind, base_count: baseCount, base_total: baseTotal, effect: rounded(effect), q: rounded(q) }
}

/** A pattern of a list. */
export function patternJson(pattern: ListedPattern, detail: PatternDetail, namespace: string): Record<string, unknown> {
  const { id, template, count, share, state, muted, note } = pattern
  const { levels, services, samples, trend } = detail
  const { grid, series } = trend
  return {
    pattern_id: id,
    template,
    count,
    share: rounded(share),
    services: services.map(({ value, count: logs }) => ({ value, count: logs })),
    levels: levels.map(({ value, count: logs }) => ({ value, count: logs })),
    first_seen: timeJson(pattern.firstSeenNs),
    last_seen: timeJson(detail.lastSeenNs),
    state,
    muted,
    note,
    trend: { start: formatNs(grid.startNs), step_ms: Number(grid.stepNs / NS_PER_MS), counts: series[0]?.counts ?? [] },
    samples: samples.map(log => logJson(log, namespace)),
    change: changeJson(pattern.change)
  }
}

/** The variable parts of a pattern. */
export function variablesJson({ variables, logs }: PatternVariables): object {
  const values = (list: PatternVariable['values']): object[] => list.map(({ value, count }) => ({ value, count }))
  return { variables: variables.map(variable => ({ ...variable, values: values(variable.values) })), variables_of: logs }
}
