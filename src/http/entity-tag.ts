import { createHash } from 'node:crypto'

/** Digits of a tag: 132 bits of SHA-256. */
const TAG_CHARS = 22

/** The strong entity tag of these bytes, quotes included. */
export function entityTag(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_CHARS)}"`
}

/** Whether an `If-None-Match` header names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some(part => {
    const named = part.trim()
    return named === '*' || named === tag || named === `W/${tag}`
  })
}
