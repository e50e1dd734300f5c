import type { BodyForm } from '../ingest/ingest-request.js'

// Messages of OTLP responses (OTLP specification 1.11): an `Export*ServiceResponse`, or a `google.rpc.Status`, in the
// encoding of the request.

/** The member that counts the rejected records; it names the signal. */
export type RejectedMember = 'rejectedLogRecords' | 'rejectedDataPoints' | 'rejectedSpans'

/** What was refused of a request that was otherwise taken. */
export interface PartialSuccess {
  readonly rejected: number
  readonly message: string
}

/** Codes of google.rpc.Code by HTTP status, as the gRPC HTTP mapping has them. */
const RPC_CODES: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [405, 12],
  [408, 4],
  [409, 10],
  [410, 9],
  [413, 3],
  [415, 3],
  [422, 3],
  [429, 8],
  [500, 13],
  [501, 12],
  [503, 14],
  [504, 4]
])
const UNKNOWN = 2
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

/** The media type of responses to a request in this form. */
export function otlpMediaType(form: BodyForm): string {
  return form === 'protobuf' ? 'application/x-protobuf' : 'application/json'
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

function varintField(field: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.from([field << 3, ...varint(value)])
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return bytes.length === 0 ? bytes : Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes])
}

/** An `Export*ServiceResponse`; without `partial` everything was taken and the message is empty. */
export function exportResponse(form: BodyForm, member: RejectedMember, partial: PartialSuccess | null): Buffer {
  if (form !== 'protobuf') {
    if (partial === null) return Buffer.from('{}')
    const { rejected, message } = partial
    return Buffer.from(JSON.stringify({ partialSuccess: { [member]: String(rejected), errorMessage: message } }))
  }
  if (partial === null) return Buffer.alloc(0)
  return bytesField(1, Buffer.concat([varintField(1, partial.rejected), bytesField(2, Buffer.from(partial.message))]))
}

/** The code of google.rpc.Code for an HTTP status. */
export function rpcCode(httpStatus: number): number {
  return RPC_CODES.get(httpStatus) ?? UNKNOWN
}

/** A `google.rpc.Status`. */
export function rpcStatus(form: BodyForm, httpStatus: number, message: string): Buffer {
  const code = rpcCode(httpStatus)
  if (form !== 'protobuf') return Buffer.from(JSON.stringify({ code, message }))
  return Buffer.concat([varintField(1, code), bytesField(2, Buffer.from(message))])
}

/** A `google.rpc.Status` in protobuf whose details state after how many seconds to retry (`google.rpc.RetryInfo`). */
export function rpcStatusWithRetry(httpStatus: number, message: string, retryAfterS: number): Buffer {
  const duration = varintField(1, retryAfterS)
  const any = Buffer.concat([bytesField(1, Buffer.from(RETRY_INFO)), bytesField(2, bytesField(1, duration))])
  return Buffer.concat([rpcStatus('protobuf', httpStatus, message), bytesField(3, any)])
}
