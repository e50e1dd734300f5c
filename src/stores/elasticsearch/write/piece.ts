import type { NamespaceId } from '../../../domain/ids.js'

const LINE_END = 10

/** A run of documents of one batch as NDJSON: two lines each, an action and the document. */
export interface Piece {
  readonly ns: NamespaceId
  readonly bytes: Buffer
  readonly count: number
}

/** The position behind the first `count` documents. */
function endOf(bytes: Buffer, count: number): number {
  let end = 0
  for (let line = 0; line < 2 * count; line++) end = bytes.indexOf(LINE_END, end) + 1
  return end
}

/** Both halves of a piece of several documents. */
export function halves({ ns, bytes, count }: Piece): readonly [Piece, Piece] {
  const first = Math.ceil(count / 2)
  const middle = endOf(bytes, first)
  return [
    { ns, bytes: bytes.subarray(0, middle), count: first },
    { ns, bytes: bytes.subarray(middle), count: count - first }
  ]
}
