import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesIdentity } from '../../metrics/label-matching.js'
import { encodeKey, encodeText } from './encoded-text.js'

/** The tag that holds the namespace in a pooled bucket. No label can take it: their leading `_` is encoded. */
export const NAMESPACE_TAG = '_ns'
/** InfluxDB refuses keys of 64 KiB, the name of the field and a separator included. */
const MAX_KEY_BYTES = 65_000

const IN_NAME = /[, ]/g
const IN_TAG = /[,= ]/g

/** A backslash before what would end the part; `=` ends no measurement, and there its backslash would stay. */
function escape(text: string, special: RegExp): string {
  return text.replace(special, String.raw`\$&`)
}

/** What every line of a series begins with: measurement and tags. Null when that is longer than InfluxDB takes. */
export function seriesHead({ name, labels }: SeriesIdentity, pooledNs: NamespaceId | null): string | null {
  let head = escape(encodeText(name), IN_NAME)
  if (pooledNs !== null) head += `,${NAMESPACE_TAG}=${pooledNs}`
  for (const label of labels) {
    if (label.value !== '') head += `,${escape(encodeKey(label.name), IN_TAG)}=${escape(encodeText(label.value), IN_TAG)}`
  }
  return Buffer.byteLength(head) > MAX_KEY_BYTES ? null : head
}
