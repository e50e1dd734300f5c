// `[u32 place of the frame in its file][f64 number of the frame]`. Not synced: a mark that is lost means that a frame is
// replayed once more, which its ids make harmless; one that is wrong would lose records, so it has to fit a frame exactly.
/** Bytes of one mark. */
export const MARK_BYTES = 12

/** A frame that needs no replay any more. */
export interface Mark {
  readonly at: number
  readonly number: number
}

/** The marks as bytes. */
export function encodeMarks(marks: readonly Mark[]): Buffer {
  const bytes = Buffer.allocUnsafe(MARK_BYTES * marks.length)
  marks.forEach(({ at, number }, i) => {
    bytes.writeUInt32LE(at, i * MARK_BYTES)
    bytes.writeDoubleLE(number, i * MARK_BYTES + 4)
  })
  return bytes
}

/** Marked frames of one file: place to number. A torn last mark is left out. */
export function decodeMarks(bytes: Buffer): Map<number, number> {
  const marks = new Map<number, number>()
  for (let at = 0; at + MARK_BYTES <= bytes.length; at += MARK_BYTES) {
    marks.set(bytes.readUInt32LE(at), bytes.readDoubleLE(at + 4))
  }
  return marks
}
