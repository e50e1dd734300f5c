import { errors } from '@elastic/transport'
import { GatewayError, type ErrorCode } from '../../../domain/errors.js'

/** An error of the engine, of a whole request or of one item of a bulk. */
export interface EngineFault {
  readonly status: number
  /** `cluster_block_exception`, ... */
  readonly type: string
  readonly reason: string
}

/** Bytes of an engine's words that go into ours. */
const MAX_REASON = 300
const RETRY_AFTER_S = 1

/** Names of our indices and aliases. */
const INDEX_NAMES = /(?:logs|traces)-alidade\.[\w.-]+/g

const FULL_DISK = /disk usage exceeded|flood.stage|read-only-allow-delete/

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function textMember(value: unknown, name: string): string {
  const text = member(value, name)
  return typeof text === 'string' ? text.slice(0, MAX_REASON) : ''
}

/** The error in the body of a reply. For a search, the innermost one. */
export function engineFault(status: number, body: unknown): EngineFault {
  const error = member(body, 'error')
  const rootCauses = member(error, 'root_cause')
  const root = Array.isArray(rootCauses) && rootCauses.length > 0 ? rootCauses[0] : error
  const type = textMember(error, 'type') || textMember(root, 'type')
  const reason = textMember(root, 'reason') || textMember(error, 'reason') || (typeof error === 'string' ? error : '')
  return { status, type, reason }
}

/** Which of our errors an error of the engine is, if it is not the record's. */
export function codeOfFault({ status, type, reason }: EngineFault): ErrorCode {
  // The flood stage of a disk is a block with status 429 (403 on older ones), unlike a block that an operator set.
  if (type === 'cluster_block_exception') return FULL_DISK.test(reason) ? 'storage_full' : 'store_unavailable'
  if (status === 429) return 'overloaded'
  return 'store_unavailable'
}

/** Names that engines give their faults. */
export const FAULT_TYPE = /^[a-z][a-z0-9_]{0,60}$/

/** For callers: no words of the engine, which name its nodes and indices. */
function sentenceOf(fault: EngineFault, code: ErrorCode): string {
  const { status, type } = fault
  if (status === 401) return 'the search store does not accept the credentials'
  if (type === 'security_exception') return 'the search store denies a permission'
  if (type === 'cluster_block_exception')
    return code === 'storage_full' ? 'the disk of the search store is full' : 'an index of the search store is read-only'
  return `the search store returned status ${status}${FAULT_TYPE.test(type) ? ` (${type})` : ''}`
}

function diagnosisOfFault({ status, type, reason }: EngineFault): string {
  const words = reason === '' ? `status ${status}` : `${reason} (${type || status})`
  return `the search store returned: ${words}`
}

/** Our error for an error of the engine; the owner of the records retries. */
export function engineToGatewayError(fault: EngineFault, cause?: unknown): GatewayError {
  const code = codeOfFault(fault)
  const isResponse = fault.type === 'cluster_block_exception'
  const extras = { isResponse, diagnosis: diagnosisOfFault(fault), ...(cause === undefined ? {} : { cause }) }
  return new GatewayError(
    code,
    sentenceOf(fault, code),
    code === 'overloaded' ? { ...extras, retryAfterS: RETRY_AFTER_S } : extras
  )
}

/** An engine's words about one record, for whoever sent it. */
export function withoutIndexNames(text: string): string {
  return text.replaceAll(INDEX_NAMES, 'the index')
}

/** Our error for a request that got no response. */
export function unreachableEngine(error: unknown): GatewayError {
  const words = error instanceof Error && error.message !== '' ? error.message : 'no response'
  const diagnosis = `the search store cannot be reached: ${words.slice(0, MAX_REASON)}`
  return new GatewayError('store_unavailable', 'the search store cannot be reached', { diagnosis, cause: error })
}

/** Whether the transport gave a request up because of its signal. */
export function isAborted(error: unknown): boolean {
  return error instanceof errors.RequestAbortedError
}

/** A response that is longer than it may be. Who reads a page reads a smaller one. */
export class OversizedResponse extends GatewayError {
  constructor(maxBytes: number) {
    super('unsupported_by_store', `the search store returned more than the limit of ${maxBytes} bytes; request less at once`)
    this.name = 'OversizedResponse'
  }
}

// The client's own error for a status would carry the whole request along.
export const ALL_STATUSES = Array.from({ length: 200 }, (_, i) => 400 + i)

const NEVER_SENT = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Connect Timeout/

/** Whether the connection failed; the engine may have received what was sent over it. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError
}

/** Whether a request was never sent, because no connection could be made or the node is known not to respond. */
export function wasNeverSent(error: unknown): boolean {
  // The client keeps the words of the network's error and nothing else of it.
  if (!(error instanceof errors.ConnectionError)) return false
  // No words: no address of a name could be connected to.
  return error.message === '' || NEVER_SENT.test(error.message)
}
