import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesIdentity } from '../../label-matching.js'
import { encodeKey, encodeText } from './encoded-text.js'

/** The tag that holds the namespace in a pooled bucket. No label can take it: their leading `_` is encoded. */
export const NAMESPACE_TAG = '_ns'
/** InfluxDB refuses keys of 64 KiB, the name of the field and a separator included. */
const MAX_KEY_BYTES = 65_000

const NEEDS_ESCAPE = /[,= ]/
const SPECIAL = /[,= ]/g

function escape(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(SPECIAL, String.raw`\$&`) : text
}

/** What every line of a series begins with: measurement and tags. Null when that is longer than InfluxDB takes. */
export function seriesHead({ name, labels }: SeriesIdentity, pooledNs: NamespaceId | null): string | null {
  let head = escape(encodeText(name))
  if (pooledNs !== null) head += `,${NAMESPACE_TAG}=${pooledNs}`
  for (const label of labels) {
    if (label.value !== '') head += `,${escape(encodeKey(label.name))}=${escape(encodeText(label.value))}`
  }
  return Buffer.byteLength(head) > MAX_KEY_BYTES ? null : head
}
