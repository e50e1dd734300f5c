import { crc32 } from 'node:zlib'

// `[u32 length][u32 crc32]`, little endian, both of the body that follows.
const WORD_BYTES = 4
/** Bytes before the body of each frame. */
export const FRAME_HEADER_BYTES = 2 * WORD_BYTES

/** Bytes of a file that are not frames. */
export interface Damage {
  readonly from: number
  readonly to: number
}

/** One whole frame: where it begins in its file, and its body. */
export interface FoundFrame {
  readonly at: number
  readonly body: Buffer
}

/** Writes the header of a frame into the first bytes of `head`; the body is the rest of `head`, followed by `rest`. */
export function sealFrame(head: Buffer, rest: readonly Buffer[]): void {
  let length = head.length - FRAME_HEADER_BYTES
  let sum = crc32(head.subarray(FRAME_HEADER_BYTES))
  for (const piece of rest) {
    length += piece.length
    sum = crc32(piece, sum)
  }
  head.writeUInt32LE(length, 0)
  head.writeUInt32LE(sum, WORD_BYTES)
}

/** The body of the frame at `at`; null without a complete frame that `isBody` accepts. */
export function frameBody(content: Buffer, at: number, isBody: (body: Buffer) => boolean): Buffer | null {
  const from = at + FRAME_HEADER_BYTES
  if (from >= content.length) return null
  const end = from + content.readUInt32LE(at)
  if (end > content.length || end === from) return null
  const body = content.subarray(from, end)
  return isBody(body) && crc32(body) === content.readUInt32LE(at + WORD_BYTES) ? body : null
}

/** All frames of a file's content from `at` on, in order, and what is between and behind them. */
export function scanFrames(
  content: Buffer,
  at: number,
  isBody: (body: Buffer) => boolean
): { readonly frames: readonly FoundFrame[]; readonly damages: readonly Damage[] } {
  const frames: FoundFrame[] = []
  const damages: Damage[] = []
  for (let from = at; from < content.length;) {
    const body = frameBody(content, from, isBody)
    if (body) {
      frames.push({ at: from, body })
      from += FRAME_HEADER_BYTES + body.length
      continue
    }
    const next = afterDamage(content, from, isBody)
    damages.push({ from, to: next })
    from = next
  }
  return { frames, damages }
}

/**
 * Where reading continues after an incomplete frame. Its content is never searched: senders choose bytes of their requests and
 * could hide a frame for another namespace there. Only its own length may locate the next one.
 */
function afterDamage(content: Buffer, at: number, isBody: (body: Buffer) => boolean): number {
  if (at + FRAME_HEADER_BYTES > content.length) return content.length
  const next = at + FRAME_HEADER_BYTES + content.readUInt32LE(at)
  return next < content.length && frameBody(content, next, isBody) !== null ? next : content.length
}
