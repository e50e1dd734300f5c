import { Socket } from 'node:net'
import type { Call, StoreEvent } from '../wire/calls.js'
import { toWireError } from '../wire/errors.js'
import {
  decodePayload,
  encodeFrame,
  FRAME_CALL,
  FRAME_CANCEL,
  FRAME_ERROR,
  FRAME_EVENT,
  FRAME_REPLY,
  type Frame,
  FrameReader
} from '../wire/frames.js'

/** One call as a method sees it. */
export interface CallContext {
  /** Aborted when the caller went away; made when it is first asked for, since writes have no use for it. */
  readonly signal: AbortSignal
  /** The call as it came over the pipe. */
  readonly payload: Buffer
}

/** Methods of the store process by name. */
export type Methods = ReadonlyMap<string, (args: readonly unknown[], context: CallContext) => unknown>

class RunningCall implements CallContext {
  readonly payload: Buffer
  #controller: AbortController | null = null
  #isCancelled = false

  constructor(payload: Buffer) {
    this.payload = payload
  }

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
  #methods: Methods = new Map()

  /** @param onBroken the parent is gone. */
  constructor(fd: number, onBroken: () => void) {
    this.#socket = new Socket({ fd, readable: true, writable: true })
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', onBroken)
  }

  /** Begins to answer calls. */
  serve(methods: Methods): void {
    this.#methods = methods
    const reader = new FrameReader()
    this.#socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#receive(frame)
    })
  }

  /** Tells the parent something that it did not ask for; resolves once it is on its way. */
  announce(event: StoreEvent): Promise<void> {
    return new Promise(resolve => {
      this.#socket.write(encodeFrame(0, FRAME_EVENT, event), () => resolve())
    })
  }

  #receive(frame: Frame): void {
    if (frame.kind === FRAME_CANCEL) this.#running.get(frame.id)?.cancel()
    if (frame.kind === FRAME_CALL) void this.#answer(frame)
  }

  async #answer(frame: Frame): Promise<void> {
    const call = new RunningCall(frame.payload)
    this.#running.set(frame.id, call)
    try {
      const { method, args } = decodePayload(frame) as Call
      const handler = this.#methods.get(method)
      if (!handler) throw new Error(`no method ${method}`)
      const result = await handler(args, call)
      this.#reply(encodeFrame(frame.id, FRAME_REPLY, result))
    } catch (error) {
      // Nobody waits for the answer to a call that was cancelled.
      if (!call.isCancelled) this.#reply(encodeFrame(frame.id, FRAME_ERROR, toWireError(error)))
    } finally {
      this.#running.delete(frame.id)
    }
  }

  /** One sync acknowledges many requests: their answers leave together. */
  #reply(bytes: Buffer): void {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      setImmediate(() => this.#socket.uncork())
    }
    this.#socket.write(bytes)
  }
}
