import { charClass, DIGITS, runEnd, UPPER } from './chars.js'
import type { Detector, Finding } from './detector.js'

const BEGIN = '-----BEGIN '
const END = '-----END '
const DASHES = '-----'
const LABEL = charClass(`${UPPER}${DIGITS} `)
const MAX_LABEL = 64

/** Private keys in PEM (RFC 7468) and PGP armour; one without its end is replaced up to the end of the string. */
export function privateKeyDetector(): Detector {
  return {
    name: 'private_key',
    triggers: '-',
    find(text, at): Finding | null {
      if (!text.startsWith(BEGIN, at)) return null
      const label = at + BEGIN.length
      const labelEnd = runEnd(text, label, LABEL, label + MAX_LABEL)
      if (!text.startsWith(DASHES, labelEnd) || !text.slice(label, labelEnd).includes('PRIVATE KEY')) return null
      const end = text.indexOf(END, labelEnd)
      if (end < 0) return { start: at, end: text.length }
      const last = runEnd(text, end + END.length, LABEL, end + END.length + MAX_LABEL)
      return { start: at, end: text.startsWith(DASHES, last) ? last + DASHES.length : last }
    }
  }
}
