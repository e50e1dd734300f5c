const PREFIX = 'U__'
/** What is not an underscore, an underscore (doubled), or the code point of a character between two. */
const PARTS = /^(?:[^_]|__|_[0-9a-f]{1,6}_)*$/i
const ESCAPE = /__|_([0-9a-f]{1,6})_/gi
const MAX_CODE_POINT = 0x10ffff

function characterOf(hex: string): string | null {
  const code = Number.parseInt(hex, 16)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code > MAX_CODE_POINT || isSurrogate ? null : String.fromCodePoint(code)
}

/**
 * The name of a label in a path: `U__http_2e_status` is `http.status`, as Grafana writes names that are not words. What is
 * not well escaped is a name as it stands (Prometheus's "values" escaping of UTF-8 names).
 */
export function labelNameOf(text: string): string {
  const escaped = text.slice(PREFIX.length)
  if (!text.startsWith(PREFIX) || !PARTS.test(escaped)) return text
  let isSound = true
  const name = escaped.replaceAll(ESCAPE, (_, hex: string | undefined) => {
    const character = hex === undefined ? '_' : characterOf(hex)
    isSound &&= character !== null
    return character ?? ''
  })
  return isSound ? name : text
}
