import { type EngineFault, withoutIndexNames } from '../client/engine-errors.js'

/** The outcome of one document. */
export type ItemOutcome =
  | { readonly kind: 'stored' }
  /** An earlier attempt had stored it. */
  | { readonly kind: 'known' }
  /** It was changed or deleted since the state that it was to replace: it is left. */
  | { readonly kind: 'changed' }
  /** The record itself cannot be stored. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Its index is not there. */
  | { readonly kind: 'missing' }
  /** The engine could not; to be sent again. */
  | { readonly kind: 'failed'; readonly fault: EngineFault }

/** The outcome of a stored item. */
export const STORED: ItemOutcome = Object.freeze({ kind: 'stored' })
const KNOWN: ItemOutcome = Object.freeze({ kind: 'known' })
const CHANGED: ItemOutcome = Object.freeze({ kind: 'changed' })
const MISSING: ItemOutcome = Object.freeze({ kind: 'missing' })

// Everything else is the store's, with status 400 or 403 too: shard limit, closed index, blocks (managed stores, E).
const RECORD_FAULTS: ReadonlySet<string> = new Set([
  'document_parsing_exception',
  'mapper_parsing_exception',
  'strict_dynamic_mapping_exception',
  'illegal_argument_exception'
])

interface ItemResult {
  readonly status: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

/**
 * One item of a bulk's reply by its action, as `REPLY_PATHS` leaves it: a new document, or one in place of a known state of
 * it.
 */
export type ReplyItem = { readonly create: ItemResult } | { readonly index: ItemResult }

/** What a bulk's reply is cut down to. */
export const REPLY_PATHS = 'errors,items.*.status,items.*.error.type,items.*.error.reason'

const MAX_REASON = 300

/** The outcome of an item of the reply. */
export function toOutcome(item: ReplyItem): ItemOutcome {
  const isNew = 'create' in item
  const { status, error } = isNew ? item.create : item.index
  if (!error) return STORED
  const { type = '', reason = '' } = error
  if (status === 409) return isNew ? KNOWN : CHANGED
  if (status === 404 && type === 'index_not_found_exception') return MISSING
  if (status === 400 && RECORD_FAULTS.has(type))
    return { kind: 'refused', reason: withoutIndexNames(reason).slice(0, MAX_REASON) }
  return { kind: 'failed', fault: { status, type, reason: reason.slice(0, MAX_REASON) } }
}
