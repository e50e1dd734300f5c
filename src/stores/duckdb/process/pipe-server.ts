import { Socket } from 'node:net'
import type { ProcessCall, StoredAppend, StoreEvent } from '../wire/calls.js'
import { toWireError, UnknownSeries } from '../wire/errors.js'
import { FrameWriter } from '../wire/frame-writer.js'
import {
  decodePayload,
  encodeFrame,
  encodeSamplesFrame,
  encodeStoredFrame,
  FRAME_APPEND,
  FRAME_CALL,
  FRAME_CANCEL,
  FRAME_ERROR,
  FRAME_EVENT,
  FRAME_LAST_PART,
  FRAME_PART,
  FRAME_REPLY,
  FRAME_UNKNOWN_SERIES,
  type Frame,
  FrameReader
} from '../wire/frames.js'
import { PackedSamples } from '../wire/packed-samples.js'
import { PART_ROWS, splitReply } from '../wire/parted-reply.js'

/** One call as a method sees it. */
export interface CallContext {
  /** Aborted when the caller has gone; created on first use. */
  readonly signal: AbortSignal
}

/** The calls that the store process handles. */
export interface Methods {
  readonly byName: ReadonlyMap<string, (args: readonly unknown[], context: CallContext) => unknown>
  /** Stores a packed request. */
  readonly append: (payload: Buffer) => Promise<StoredAppend>
}

class RunningCall implements CallContext {
  #controller: AbortController | null = null
  #isCancelled = false

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isCancelled) this.#controller.abort(new Error('cancelled'))
    return this.#controller.signal
  }

  cancel(): void {
    this.#isCancelled = true
    this.#controller?.abort(new Error('cancelled'))
  }
}

/** The store process's end of the pipe to its parent. */
export class PipeServer {
  readonly #socket: Socket
  readonly #running = new Map<number, RunningCall>()
  readonly #writer: FrameWriter

  /** @param onBroken the parent is gone. */
  constructor(fd: number, onBroken: () => void) {
    this.#socket = new Socket({ fd, readable: true, writable: true })
    this.#writer = new FrameWriter(this.#socket)
    // Its close, which follows, ends the process in order.
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', onBroken)
  }

  /** Begins to handle calls. */
  serve(methods: Methods): void {
    const reader = new FrameReader()
    this.#socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#receive(methods, frame)
    })
  }

  /** Sends the parent an event; resolves once it is sent. */
  announce(event: StoreEvent): Promise<void> {
    return new Promise(resolve => {
      this.#socket.write(encodeFrame(0, FRAME_EVENT, event), () => resolve())
    })
  }

  #receive(methods: Methods, frame: Frame): void {
    if (frame.kind === FRAME_APPEND) void this.#store(methods, frame)
    if (frame.kind === FRAME_CANCEL) this.#running.get(frame.id)?.cancel()
    if (frame.kind === FRAME_CALL) void this.#result(methods, frame)
  }

  async #store({ append }: Methods, { id, payload }: Frame): Promise<void> {
    try {
      const result = await append(payload)
      const isPlain = result.deduplicated === 0 && result.failures.length === 0
      this.#writer.write(isPlain ? encodeStoredFrame(id, result) : encodeFrame(id, FRAME_REPLY, result))
    } catch (error) {
      if (error instanceof UnknownSeries) return this.#writer.write(encodeFrame(id, FRAME_UNKNOWN_SERIES))
      this.#writer.write(encodeFrame(id, FRAME_ERROR, toWireError(error)))
    }
  }

  /** Large replies are serialized in parts; other calls run between them. */
  async #reply(id: number, result: unknown, call: RunningCall): Promise<void> {
    const split = splitReply(result)
    if (split === null) return this.#writer.write(encodeFrame(id, FRAME_REPLY, result))
    const { rows, ...rest } = split
    for (let at = 0; at < rows.length; at += PART_ROWS) {
      if (call.isCancelled) return
      this.#writer.write(encodeFrame(id, FRAME_PART, rows.slice(at, at + PART_ROWS)))
      await this.#writer.drained()
    }
    this.#writer.write(encodeFrame(id, FRAME_LAST_PART, rest))
  }

  async #result({ byName }: Methods, frame: Frame): Promise<void> {
    const call = new RunningCall()
    this.#running.set(frame.id, call)
    try {
      const { method, args } = decodePayload(frame) as ProcessCall
      const handler = byName.get(method)
      if (!handler) throw new Error(`no method ${method}`)
      const result = await handler(args, call)
      if (result instanceof PackedSamples) this.#writer.write(...encodeSamplesFrame(frame.id, result))
      else await this.#reply(frame.id, result, call)
    } catch (error) {
      // No caller waits for the result of a call that was cancelled.
      if (!call.isCancelled) this.#writer.write(encodeFrame(frame.id, FRAME_ERROR, toWireError(error)))
    } finally {
      this.#running.delete(frame.id)
    }
  }
}
