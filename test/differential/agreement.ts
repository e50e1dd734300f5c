import { isDeepStrictEqual } from 'node:util'

function show(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member), 1)
}

/** Throws, with both responses, when they differ. */
export function requireAlike(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) throw new Error(`one returns ${show(one)}\nthe other ${show(other)}`)
}
