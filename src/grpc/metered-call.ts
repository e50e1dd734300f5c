import { Metadata, type ServerInterceptingCallInterface, status, type StatusObject } from '@grpc/grpc-js'
import { isGatewayError } from '../domain/errors.js'
import { inflateBody } from '../http/inflate-body.js'
import { type BodyBytes, OPEN_BODY_BYTES } from '../ingest/byte-budget.js'
import type { Timers } from '../ports/timers.js'
import { MessageProgress } from './message-progress.js'

/** Length and compression flag in front of a message. */
const PREFIX_BYTES = 5

/**
 * What a call of grpc-js has besides its public interface. The library collects and decompresses a message before any code
 * of its user sees it, so that memory can only be bounded here; a test fails when a new version has these no more.
 */
interface CallInternals {
  readonly stream: {
    readonly destroyed: boolean
    pause(): unknown
    resume(): unknown
    once(event: 'close', listener: () => void): unknown
  }
  handleDataFrame(data: Buffer): void
  handleEndEvent(): void
  decompressMessage(message: Buffer, encoding: string): Buffer | Promise<Buffer>
}

type Call = ServerInterceptingCallInterface

function hasInternals(call: Call): call is Call & CallInternals {
  const names = ['handleDataFrame', 'handleEndEvent', 'decompressMessage'] as const
  return 'stream' in call && names.every(name => name in call && typeof (call as Partial<CallInternals>)[name] === 'function')
}

/** What a call needs to take its bytes of the budget. */
export interface Metering {
  readonly body: BodyBytes
  readonly maxBytes: number
  readonly timers: Timers
  /** The status for what the budget or the decompression refuses. */
  readonly refused: (error: unknown) => StatusObject
}

/** Makes a call take its bytes of the budget as they arrive and as they are decompressed, and ends one without progress. */
export async function meterCall(call: Call, { body, maxBytes, timers, refused }: Metering): Promise<void> {
  if (!hasInternals(call)) throw new Error('this version of grpc-js does not let messages be metered')
  const { stream } = call
  // Of a client that left while its key was looked up, nothing is heard any more.
  if (stream.destroyed) return body.release()
  stream.once('close', () => body.release())
  if (!body.tryTake(OPEN_BODY_BYTES)) await body.take(OPEN_BODY_BYTES)
  const handleData = call.handleDataFrame.bind(call)
  const handleEnd = call.handleEndEvent.bind(call)
  const decompress = call.decompressMessage.bind(call)
  let [isWaiting, isAtEnd, isRefused] = [false, false, false]
  const refuse = (error: unknown): void => {
    isRefused = true
    progress.stop()
    call.sendStatus(refused(error))
    // A client that sends on after the response holds nothing.
    body.release()
  }
  const progress = new MessageProgress(timers, refuse)
  stream.once('close', () => progress.stop())
  const waitFor = async (data: Buffer): Promise<void> => {
    stream.pause()
    isWaiting = true
    await progress.holding(() => body.take(data.length))
    isWaiting = false
    stream.resume()
    handleData(data)
    if (isAtEnd) handleEnd()
  }
  call.handleDataFrame = data => {
    if (isRefused) return
    progress.arrived(data.length)
    if (body.tryTake(data.length)) handleData(data)
    else void waitFor(data).catch(refuse)
  }
  // A pause does not keep the end of the stream back.
  call.handleEndEvent = () => {
    isAtEnd = true
    progress.stop()
    if (!isWaiting) handleEnd()
  }
  call.decompressMessage = async (message, encoding) => {
    if (encoding !== 'gzip' && encoding !== 'deflate') return decompress(message, encoding)
    try {
      const bytes = await progress.holding(() => inflateBody(message.subarray(PREFIX_BYTES), encoding, maxBytes, body))
      body.give(message.length)
      return bytes
    } catch (error) {
      // The client may leave the stream open: what is refused holds nothing.
      isRefused = true
      progress.stop()
      body.release()
      // grpc-js sends what is thrown as the status.
      throw statusOf(error, refused)
    }
  }
}

function statusOf(error: unknown, refused: Metering['refused']): StatusObject {
  if (isGatewayError(error, 'payload_too_large'))
    return { code: status.RESOURCE_EXHAUSTED, details: error.message, metadata: new Metadata() }
  if (isGatewayError(error, 'invalid_json'))
    return { code: status.INTERNAL, details: 'Failed to decompress message', metadata: new Metadata() }
  return refused(error)
}
