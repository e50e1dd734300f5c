import { GatewayError } from '../domain/errors.js'
import { parseRfc3339Ns } from '../domain/timestamp.js'
import type { RawObject } from './raw-object.js'

const NS_PER_MS = 1_000_000n

function invalid(name: string, parent: string, detail: string): GatewayError {
  const field = parent === '' ? name : `${parent}.${name}`
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

/** A member that is a string of at most `most` characters; null when absent, null or empty. NUL is left out. */
export function readString(raw: RawObject, name: string, parent: string, most: number): string | null {
  const value = raw[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string') throw invalid(name, parent, 'must be a string')
  // PostgreSQL stores no NUL.
  const text = value.replaceAll('\0', '')
  if (text.length > most) throw invalid(name, parent, `must not exceed ${most} characters (got ${text.length})`)
  return text === '' ? null : text
}

/** As `readString`, of one line without other control characters. */
export function readLine(raw: RawObject, name: string, parent: string, most: number): string | null {
  const text = readString(raw, name, parent, most)
  if (text !== null && /\p{Cc}/u.test(text)) throw invalid(name, parent, 'must not have control characters')
  return text
}

/** A member that is a whole number, from 0 by default; null when absent. */
export function readCount(
  raw: RawObject,
  name: string,
  parent: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number }
): number | null {
  const value = raw[name] ?? null
  if (value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw invalid(name, parent, `must be an integer from ${least} to ${most}`)
}

/** A member that is one of the words; null when absent. */
export function readChoice<Word extends string>(
  raw: RawObject,
  name: string,
  parent: string,
  words: readonly Word[]
): Word | null {
  const value = raw[name] ?? null
  if (value === null) return null
  const found = words.find(word => word === value)
  if (found !== undefined) return found
  throw invalid(name, parent, `must be one of ${words.join(', ')}`)
}

/** A member that is an RFC 3339 time, as Unix milliseconds; null when absent. */
export function readTimeMs(raw: RawObject, name: string, parent: string): number | null {
  const value = raw[name] ?? null
  if (value === null) return null
  const ns = typeof value === 'string' ? parseRfc3339Ns(value) : null
  if (ns === null) throw invalid(name, parent, 'must be an RFC 3339 time')
  return Number(ns / NS_PER_MS)
}
