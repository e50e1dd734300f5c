import { createHash } from 'node:crypto'
import type { RecordId } from '../../domain/ids.js'

/** 48 bits: two of some thousand records share them once in ten million tails. */
export const DIGEST_CHARS = 8
const DIGEST_BYTES = 6

/** A record id in few characters. */
export function digestOf(id: RecordId): string {
  return createHash('sha256').update(id).digest().subarray(0, DIGEST_BYTES).toString('base64url')
}
