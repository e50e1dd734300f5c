import { bareObject } from '../domain/bare-object.js'

/** An object as JSON.parse gives it. */
export type RawObject = Readonly<Record<string, unknown>>

/** Whether a value is an object and no array. */
export function isRawObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Adds a member to the gathered unknown ones; the object has no prototype, so that any name is only a name. */
export function gather(extra: Record<string, unknown> | null, key: string, value: unknown): Record<string, unknown> {
  const out = extra ?? bareObject<unknown>()
  out[key] = value
  return out
}
