import { charClass, isIn } from './chars.js'

const PERCENT = 0x25
const BACKSLASH = 0x5c
const U = 0x75
const CONTROL = charClass('bfnrt')
/** Characters of an escaped character without its `\` or `%`: `\n`, `%3D`, `\u0026`. */
export const ESCAPE_LENGTHS = [1, 2, 5] as const

/** Whether an escaped character ends before `at`: `\n` or `\u0026` of JSON within a string, `%3D` of a URL. */
export function isAfterEscape(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 3) === PERCENT ||
    (text.charCodeAt(at - 2) === BACKSLASH && isIn(CONTROL, text.charCodeAt(at - 1))) ||
    (text.charCodeAt(at - 6) === BACKSLASH && text.charCodeAt(at - 5) === U)
  )
}
