import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import { encodeKey, encodeText } from '../line/encoded-text.js'
import { NAMESPACE_TAG } from '../line/series-head.js'
import { toRfc3339 } from '../line/time-bounds.js'
import {
  array,
  boolean,
  call,
  columnIsOneOf,
  type FluxExpression,
  fluxRequest,
  identifier,
  join,
  milliseconds,
  pipe,
  rowFunction,
  text,
  time
} from './flux-ast.js'
import type { Narrowing } from './narrowing.js'
import type { WindowChoice } from './window-choice.js'

/** Samples to request from InfluxDB. */
export interface SamplesQuery {
  readonly bucket: string
  /** The namespace, when the bucket is a pool. */
  readonly pooledNs: NamespaceId | null
  readonly range: TimeRange
  readonly field: string
  readonly narrowing: Narrowing
  /** What InfluxDB is to choose of them; null for all. */
  readonly choice: WindowChoice | null
}

const MEASUREMENT = '_measurement'
const FIELD = '_field'

/** The tags whose condition leaves them one value: their column is redundant in a result. */
export function pinnedTags({ tags }: Narrowing): readonly { readonly name: string; readonly value: string }[] {
  return tags.flatMap(({ name, values }) => (values.length === 1 ? [{ name, value: values[0]! }] : []))
}

/** In forms that its planner hands down to the storage; any other costs as much as reading every row, or more. */
function chosen({ fn, everyMs, offsetMs, timeOf }: WindowChoice): readonly FluxExpression[] {
  const every = { every: milliseconds(everyMs), offset: milliseconds(offsetMs) }
  if (timeOf === 'sample') return [call('window', every), call(fn, {})]
  return [call('aggregateWindow', { ...every, fn: identifier(fn), createEmpty: boolean(false), timeSrc: text('_start') })]
}

/** The request for one field's samples: one table per series, sorted by time, without the columns that are constant. */
export function selectRequest({ bucket, pooledNs, range, field, narrowing, choice }: SamplesQuery): object {
  const { metrics, tags } = narrowing
  const conditions = [
    columnIsOneOf(FIELD, [field]),
    ...(metrics === null ? [] : [columnIsOneOf(MEASUREMENT, metrics.map(encodeText))]),
    ...(pooledNs === null ? [] : [columnIsOneOf(NAMESPACE_TAG, [pooledNs])]),
    ...tags.map(({ name, values }) => columnIsOneOf(encodeKey(name), values.map(encodeText)))
  ]
  const constant = [
    ...['_start', '_stop', FIELD],
    ...(metrics?.length === 1 ? [MEASUREMENT] : []),
    ...(pooledNs === null ? [] : [NAMESPACE_TAG]),
    ...pinnedTags(narrowing).map(({ name }) => encodeKey(name))
  ]
  const program = pipe(call('from', { bucket: text(bucket) }), [
    call('range', { start: time(toRfc3339(range.startNs)), stop: time(toRfc3339(range.endNs)) }),
    call('filter', { fn: rowFunction(join('and', conditions)) }),
    ...(choice === null ? [] : chosen(choice)),
    call('drop', { columns: array(constant.map(text)) })
  ])
  return fluxRequest(program, ['default'])
}
