import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import { encodeKey, encodeText } from '../line/encoded-text.js'
import { NAMESPACE_TAG } from '../line/series-head.js'
import { toRfc3339 } from '../line/time-bounds.js'
import { array, call, columnIsOneOf, fluxRequest, join, pipe, rowFunction, text, time } from './flux-ast.js'
import type { Narrowing } from './narrowing.js'

/** Samples to ask InfluxDB for. */
export interface SamplesQuery {
  readonly bucket: string
  /** The namespace, when the bucket is a pool. */
  readonly pooledNs: NamespaceId | null
  readonly range: TimeRange
  readonly field: string
  readonly narrowing: Narrowing
}

const MEASUREMENT = '_measurement'
const FIELD = '_field'

/** The tags whose condition leaves them one value: their column says nothing in an answer. */
export function pinnedTags({ tags }: Narrowing): readonly { readonly name: string; readonly value: string }[] {
  return tags.flatMap(({ name, values }) => (values.length === 1 ? [{ name, value: values[0]! }] : []))
}

/** The request for one field's samples: one table per series, sorted by time, without the columns that are constant. */
export function selectRequest({ bucket, pooledNs, range, field, narrowing }: SamplesQuery): object {
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
    call('drop', { columns: array(constant.map(text)) })
  ])
  return fluxRequest(program, ['default'])
}
