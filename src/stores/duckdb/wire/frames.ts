import { deserialize, serialize } from 'node:v8'
import type { StoredAppend } from './calls.js'
import type { PackedAppend } from './packed-append.js'
import { decodeSamples, encodeSamples, type PackedSamples } from './packed-samples.js'

/** What a frame is: calls and cancellations go to the store process, the others come from it. */
export const FRAME_CALL = 1
export const FRAME_REPLY = 2
export const FRAME_ERROR = 3
export const FRAME_CANCEL = 4
export const FRAME_EVENT = 5
/** A packed append (`packed-append`), and the response to one that was stored completely: how many rows, and ids of series. */
export const FRAME_APPEND = 6
export const FRAME_STORED = 7
/** The response to an append whose series are not all known by their ids: nothing of it is stored. */
export const FRAME_UNKNOWN_SERIES = 8
/** The response to a read of samples (`packed-samples`). */
export const FRAME_SAMPLES = 9
/** Some rows of a large reply (`parted-reply`), and what is left of that reply once its rows are sent. */
export const FRAME_PART = 10
export const FRAME_LAST_PART = 11

/** `[u32 length of what follows][u32 request id][u8 kind]`, little endian, before each payload. */
const HEADER_BYTES = 9
const LENGTH_BYTES = 4
/** Larger than any legal batch or page; a longer frame means that the two sides have lost step. */
export const MAX_FRAME_BYTES = 512 * 1024 * 1024
/** A frame of so many bytes gets memory of its own, into which each chunk goes as it arrives. */
const LARGE_FRAME_BYTES = 64 * 1024

/** A frame with its kind and request. */
export interface Frame {
  readonly id: number
  readonly kind: number
  /** Empty for a cancellation. */
  readonly payload: Buffer
}

function newFrame(id: number, kind: number, payloadBytes: number): Buffer {
  return writeHeader(Buffer.allocUnsafe(HEADER_BYTES + payloadBytes), id, kind, payloadBytes)
}

function writeHeader(frame: Buffer, id: number, kind: number, payloadBytes: number): Buffer {
  frame.writeUInt32LE(HEADER_BYTES - LENGTH_BYTES + payloadBytes, 0)
  frame.writeUInt32LE(id, LENGTH_BYTES)
  frame[LENGTH_BYTES * 2] = kind
  return frame
}

/** A frame around anything that `structuredClone` takes. */
export function encodeFrame(id: number, kind: number, payload?: unknown): Buffer {
  if (payload === undefined) return newFrame(id, kind, 0)
  const body = serialize(payload)
  const frame = newFrame(id, kind, body.length)
  body.copy(frame, HEADER_BYTES)
  return frame
}

/** The frame of an append. */
export function encodeAppendFrame(id: number, packed: PackedAppend): Buffer {
  const frame = newFrame(id, FRAME_APPEND, packed.bytes)
  packed.write(frame, HEADER_BYTES)
  return frame
}

/** The response to an append of which all rows are stored. */
export function encodeStoredFrame(id: number, { accepted, seriesIds }: StoredAppend): Buffer {
  const frame = newFrame(id, FRAME_STORED, LENGTH_BYTES + (seriesIds?.byteLength ?? 0))
  frame.writeUInt32LE(accepted, HEADER_BYTES)
  if (seriesIds) frame.set(new Uint8Array(seriesIds.buffer), HEADER_BYTES + LENGTH_BYTES)
  return frame
}

/** The frame of samples, in parts that follow each other: those of many samples are their own memory. */
export function encodeSamplesFrame(id: number, packed: PackedSamples): readonly Buffer[] {
  const parts = encodeSamples(packed)
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  return [writeHeader(Buffer.allocUnsafe(HEADER_BYTES), id, FRAME_SAMPLES, bytes), ...parts]
}

/** The samples of a frame; those of a large one are views of its memory. */
export function decodeSamplesFrame({ payload }: Frame): PackedSamples {
  return decodeSamples(payload)
}

/** The content of a stored frame. */
export function decodeStoredFrame({ payload }: Frame): StoredAppend {
  const stored = { accepted: payload.readUInt32LE(0), deduplicated: 0, failures: [] }
  if (payload.length === LENGTH_BYTES) return stored
  // A copy: the memory of numbers must be aligned.
  const seriesIds = new BigInt64Array((payload.length - LENGTH_BYTES) / BigInt64Array.BYTES_PER_ELEMENT)
  new Uint8Array(seriesIds.buffer).set(payload.subarray(LENGTH_BYTES))
  return { ...stored, seriesIds }
}

/** The value that a frame carries; typed arrays in it may share the frame's memory. */
export function decodePayload(frame: Frame): unknown {
  return frame.payload.length === 0 ? undefined : (deserialize(frame.payload) as unknown)
}

/** A large frame, of which a part has arrived. */
interface OpenFrame extends Frame {
  filled: number
}

/** Cuts a byte stream into frames, whatever the chunks it arrives in. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bytes = 0
  #requested = HEADER_BYTES
  #open: OpenFrame | null = null

  /** All frames that the chunk completes, in order. Throws when the stream is not one of frames. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    const rest = this.#open === null ? chunk : this.#fill(this.#open, chunk, frames)
    if (rest.length === 0) return frames
    this.#chunks.push(rest)
    this.#bytes += rest.length
    if (this.#bytes < this.#requested) return frames
    this.#cut(this.#chunks.length === 1 ? rest : Buffer.concat(this.#chunks, this.#bytes), frames)
    return frames
  }

  /** What of the chunk is behind the open frame. */
  #fill(open: OpenFrame, chunk: Buffer, frames: Frame[]): Buffer {
    const used = chunk.copy(open.payload, open.filled)
    open.filled += used
    if (open.filled === open.payload.length) {
      this.#open = null
      frames.push({ id: open.id, kind: open.kind, payload: open.payload })
    }
    return chunk.subarray(used)
  }

  #cut(all: Buffer, frames: Frame[]): void {
    let at = 0
    this.#requested = HEADER_BYTES
    while (all.length - at >= HEADER_BYTES) {
      const length = all.readUInt32LE(at)
      if (length < HEADER_BYTES - LENGTH_BYTES || length > MAX_FRAME_BYTES) throw new Error(`frame of ${length} bytes`)
      const end = at + LENGTH_BYTES + length
      const head = { id: all.readUInt32LE(at + LENGTH_BYTES), kind: all.readUInt8(at + LENGTH_BYTES * 2) }
      const from = at + HEADER_BYTES
      if (end - from >= LARGE_FRAME_BYTES) {
        this.#open = { ...head, payload: Buffer.allocUnsafeSlow(end - from), filled: 0 }
        at = all.length - this.#fill(this.#open, all.subarray(from), frames).length
        continue
      }
      if (end > all.length) {
        this.#requested = LENGTH_BYTES + length
        break
      }
      frames.push({ ...head, payload: all.subarray(from, end) })
      at = end
    }
    const rest = all.subarray(at)
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#bytes = rest.length
  }
}
