import { unreachable } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import type { ResolvedWindow } from '../../domain/time-range.js'
import { formatNs } from '../../domain/timestamp.js'
import type { Grid } from '../../query/result.js'
import type { Fill } from '../routes/metric-query-schemas.js'

type Time = number | string
type Value = number | string | null

/** `{a:1}` out of labels; the prototype is left alone whatever their names. */
export function labelsJson(labels: readonly Label[]): Record<string, string> {
  const json = Object.create(null) as Record<string, string>
  for (const { name, value } of labels) json[name] = value
  return json
}

/** Writes times in the unit of the request: numbers for s, ms and us, decimal strings for ns, RFC 3339 for RFC 3339. */
export function timeWriter(unit: ResolvedWindow['unitDetected']): (ns: bigint) => Time {
  switch (unit) {
    case 'ms':
      return ns => Number(ns / 1_000_000n)
    case 'us':
      return ns => Number(ns / 1_000n)
    case 'ns':
      return ns => String(ns)
    case 'rfc3339':
      return formatNs
    default:
      return ns => Number(ns / 1_000_000n) / 1_000
  }
}

/** JSON has no NaN and no infinities: they are written as Prometheus writes them. */
function valueJson(value: number): number | string {
  if (Number.isFinite(value)) return value
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}

function filled(fill: Fill, previous: Value): Value | undefined {
  switch (fill) {
    case 'none':
      return undefined
    case 'null':
      return null
    case 'zero':
      return 0
    case 'previous':
      return previous ?? undefined
    default:
      return unreachable(fill)
  }
}

/** `[[time, value], ...]` of one series. */
export function pointsJson(
  values: readonly (number | null)[],
  grid: Grid,
  form: { readonly fill: Fill; readonly time: (ns: bigint) => Time }
): (readonly [Time, Value])[] {
  const points: (readonly [Time, Value])[] = []
  let previous: Value = null
  for (const [i, raw] of values.entries()) {
    const value: Value | undefined = raw === null ? filled(form.fill, previous) : valueJson(raw)
    if (value === undefined) continue
    points.push([form.time(grid.startNs + grid.stepNs * BigInt(i)), value])
    if (raw !== null) previous = value
  }
  return points
}
