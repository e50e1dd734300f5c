import { DatabaseError } from 'pg'
import { GatewayError } from '../../domain/errors.js'
import { UniqueViolation } from './control-db.js'

const RETRY_AFTER_S = 1

/** Classes of SQLSTATE in which the server is at fault and a later try may succeed. */
const UNAVAILABLE = new Set([
  '08', // connection
  '25', // e.g. a replica that does not take writes
  '28', // authentication
  '3D', // no such database
  '40', // deadlock, lost transaction
  '53', // resources
  '55', // lock not available
  '57', // shutdown, statement cancelled by a timeout
  '58' // disk and files
])
const UNIQUE_VIOLATION = '23505'
const DISK_FULL = '53100'
/** A character that the database cannot keep: U+0000, or one that its encoding lacks. */
const UNSTORABLE = new Set(['22021', '22P05'])

function unavailable(why: string, cause: unknown): GatewayError {
  const sentence = `the control database cannot be used (${why})`
  const diagnosis = `${sentence}: ${cause instanceof Error ? cause.message : String(cause)}`
  return new GatewayError('store_unavailable', sentence, { diagnosis, cause, retryAfterS: RETRY_AFTER_S })
}

function translateResult(error: DatabaseError): unknown {
  const code = error.code ?? ''
  if (code === UNIQUE_VIOLATION) return new UniqueViolation(error)
  if (code === DISK_FULL) {
    return new GatewayError('storage_full', 'the disk of the control database is full', { cause: error })
  }
  if (UNSTORABLE.has(code)) {
    return new GatewayError('invalid_field', 'a string has a character that cannot be stored, such as U+0000', { cause: error })
  }
  return UNAVAILABLE.has(code.slice(0, 2)) ? unavailable(code, error) : error
}

/** Gives PostgreSQL's errors, and those of the way to it, the names that the ports speak of. */
export function translate(error: unknown): unknown {
  if (error instanceof GatewayError) return error
  if (error instanceof DatabaseError) return translateResult(error)
  // All else that the client throws is about the connection. Its messages name hosts and are for the log alone.
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection'
  return unavailable(code, error)
}

/** Whether the connection is of no use after this error. */
export function isFatal(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'
}
