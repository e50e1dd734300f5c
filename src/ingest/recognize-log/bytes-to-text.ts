import { isUtf8 } from 'node:buffer'

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255
}

/** The text of a list of bytes in UTF-8, or in Latin-1 when they are not; null when it is empty or holds anything else. */
export function bytesToText(values: readonly unknown[]): string | null {
  if (values.length === 0 || !values.every(isByte)) return null
  const bytes = Buffer.from(values)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
