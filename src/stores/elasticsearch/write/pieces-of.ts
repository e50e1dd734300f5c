import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { NamespaceId } from '../../../domain/ids.js'
import type { Piece } from './piece.js'

/** Bytes after which a piece ends; also how much is encoded before other work gets its turn. */
const PIECE_BYTES = 256 * 1024
/** Most bytes of UTF-8 that a code unit of UTF-16 comes to. */
const BYTES_A_UNIT = 3
// Documents are encoded here one by one, which spares a text of all of them. Other work runs only while it is empty.
const scratch = Buffer.allocUnsafeSlow(2 * PIECE_BYTES)

/**
 * Documents in consecutive pieces; `entries` are an action and its document each, both lines ended. Yields to the event loop
 * between pieces.
 */
export async function piecesOf(ns: NamespaceId, entries: Iterable<string>): Promise<readonly Piece[]> {
  const pieces: Piece[] = []
  let end = 0
  let count = 0
  const finish = (): void => {
    if (count > 0) pieces.push({ ns, bytes: Buffer.from(scratch.subarray(0, end)), count })
    end = 0
    count = 0
  }
  for (const lines of entries) {
    const isTight = end + lines.length * BYTES_A_UNIT > scratch.length
    if (isTight) {
      finish()
      await yieldToEventLoop()
    }
    if (lines.length * BYTES_A_UNIT > scratch.length) pieces.push({ ns, bytes: Buffer.from(lines), count: 1 })
    else {
      end += scratch.write(lines, end)
      count++
      if (end >= PIECE_BYTES) finish()
    }
    if (end === 0) await yieldToEventLoop()
  }
  finish()
  return pieces
}
