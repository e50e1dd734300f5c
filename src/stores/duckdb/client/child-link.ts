import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { GatewayError } from '../../../domain/errors.js'
import type { ProcessOptions, StoredAppend, StoreEvent, WireError } from '../wire/calls.js'
import { fromWireError, UnknownSeries } from '../wire/errors.js'
import { FrameWriter } from '../wire/frame-writer.js'
import {
  decodePayload,
  decodeSamplesFrame,
  decodeStoredFrame,
  encodeAppendFrame,
  encodeFrame,
  FRAME_CALL,
  FRAME_CANCEL,
  FRAME_ERROR,
  FRAME_EVENT,
  FRAME_LAST_PART,
  FRAME_PART,
  FRAME_REPLY,
  FRAME_SAMPLES,
  FRAME_STORED,
  FRAME_UNKNOWN_SERIES,
  type Frame,
  FrameReader
} from '../wire/frames.js'
import type { PackedAppend } from '../wire/packed-append.js'
import { joinReply, type PartedReply } from '../wire/parted-reply.js'

/** Threads for blocking calls: the journal, commits, a seal or merge, and a few reads at once. */
const THREAD_POOL_SIZE = '16'
/** The heap may become so much larger, in percent, before it is cleared of garbage: left to itself V8 does so with each result of many samples (docs/adr/0028). */
const HEAP_GROWTH = 200
/** Position of the duplex pipe among the child's file descriptors. */
const PIPE_FD = 3

interface Pending {
  resolve(value: unknown): void
  reject(error: unknown): void
  /** Rejects and makes the process stop the work; only calls that can be aborted have it. */
  readonly cancel?: (reason: Error) => void
  /** Rows of a reply that comes in parts, as far as they have arrived. */
  rows?: unknown[]
}

/** What happens in one life of the store process. */
export interface ChildEvents {
  onEvent(event: StoreEvent): void
  /** The process has ended; every call in flight has been rejected. */
  onEnd(reason: string): void
}

/** The error of calls that meet no running store process. */
export function storeUnavailable(why: string): GatewayError {
  return new GatewayError('store_unavailable', `the store process ${why}`, { retryAfterS: 1 })
}

/** One life of the store process and the frames to and from it. */
export class ChildLink {
  readonly #child: ChildProcess
  readonly #pipe: Socket
  readonly #writer: FrameWriter
  readonly #events: ChildEvents
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #isEnded = false

  constructor(entry: string, options: ProcessOptions, events: ChildEvents) {
    this.#events = events
    // The environment is not inherited: it may contain secrets that the store has no need of.
    this.#child = spawn(process.execPath, [`--heap-growing-percent=${HEAP_GROWTH}`, entry, JSON.stringify(options)], {
      env: { UV_THREADPOOL_SIZE: THREAD_POOL_SIZE },
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      windowsHide: true
    })
    this.#pipe = this.#child.stdio[PIPE_FD] as Socket
    this.#writer = new FrameWriter(this.#pipe)
    const reader = new FrameReader()
    this.#pipe.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#receive(frame)
    })
    // The end of the process, which follows, rejects every call in flight with its reason.
    this.#pipe.on('error', () => undefined)
    this.#child.on('error', error => this.#end(`could not be started: ${error.message}`))
    this.#child.on('exit', (code, signal) => this.#end(`ended (${signal ?? `exit code ${code}`})`))
  }

  /** Whether the process is gone; every call was rejected then. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Sends a call. Aborting rejects at once with the signal's reason and makes the process stop the work. */
  call(method: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    if (this.#isEnded) return Promise.reject(storeUnavailable('has ended'))
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    const id = this.#takeId()
    const frame = encodeFrame(id, FRAME_CALL, { method, args })
    return new Promise((resolve, reject) => {
      const cancel = (reason: Error): void => {
        if (!this.#pending.delete(id)) return
        this.#writer.write(encodeFrame(id, FRAME_CANCEL))
        done()
        reject(reason)
      }
      const onAbort = (): void => cancel(signal!.reason as Error)
      signal?.addEventListener('abort', onAbort, { once: true })
      const done = (): void => signal?.removeEventListener('abort', onAbort)
      this.#pending.set(id, {
        resolve: value => (done(), resolve(value)),
        reject: error => (done(), reject(error)),
        ...(signal && { cancel })
      })
      this.#writer.write(frame)
    })
  }

  /** Sends a request to be stored. It cannot be aborted. */
  append(packed: PackedAppend): Promise<StoredAppend> {
    if (this.#isEnded) return Promise.reject(storeUnavailable('has ended'))
    const id = this.#takeId()
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#writer.write(encodeAppendFrame(id, packed))
    })
  }

  /** Sends what is on its way now instead of at the end of this turn of the event loop. */
  flush(): void {
    this.#writer.flush()
  }

  /** Cancels every call in flight that can be aborted: reads. */
  cancelReads(reason: Error): void {
    for (const { cancel } of [...this.#pending.values()]) cancel?.(reason)
  }

  #takeId(): number {
    const id = this.#nextId
    this.#nextId = (id + 1) >>> 0 || 1
    return id
  }

  /** Closes this end of the pipe; the process then commits what it has and ends. */
  breakPipe(): void {
    this.#pipe.destroy()
  }

  /** Ends the process without a request to stop. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #receive(frame: Frame): void {
    if (frame.kind === FRAME_EVENT) return this.#events.onEvent(decodePayload(frame) as StoreEvent)
    const pending = this.#pending.get(frame.id)
    if (!pending) return
    if (frame.kind === FRAME_PART) return void (pending.rows ??= []).push(...(decodePayload(frame) as unknown[]))
    this.#pending.delete(frame.id)
    if (frame.kind === FRAME_STORED) pending.resolve(decodeStoredFrame(frame))
    if (frame.kind === FRAME_SAMPLES) pending.resolve(decodeSamplesFrame(frame))
    if (frame.kind === FRAME_REPLY) pending.resolve(decodePayload(frame))
    if (frame.kind === FRAME_LAST_PART) pending.resolve(joinReply(decodePayload(frame) as PartedReply, pending.rows ?? []))
    if (frame.kind === FRAME_UNKNOWN_SERIES) pending.reject(new UnknownSeries('unknown series ids'))
    if (frame.kind === FRAME_ERROR) pending.reject(fromWireError(decodePayload(frame) as WireError))
  }

  #end(reason: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    // Never sent again: whether they were stored is not known here; the caller may, with the same ingest id.
    for (const pending of waiting) pending.reject(storeUnavailable(reason))
    this.#pipe.destroy()
    this.#events.onEnd(reason)
  }
}
