// What InfluxDB cannot carry or shows differently than it came (a last backslash, line feeds, carriage returns, a leading
// `#`), and what `storage-validate-keys` refuses: everything that Go's unicode.IsPrint leaves out, and U+FFFD.
const UNSAFE = /[%\\\ufffd\p{C}]|(?! )\p{Z}|^#/gu
const PLAIN = /^[\w.:/@-]*$/
const ENCODED = /%(?:u([0-9A-F]{4})|([0-9A-F]{2}))/g
/** Tag keys that Flux gives a meaning of its own; one of them makes a whole bucket unreadable. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(['time', 'table', 'result', 'error', 'reference'])
const UNDERSCORE = 0x5f

/** `%XX`, beyond U+00FF `%uXXXX`, per UTF-16 code unit: any text of JavaScript comes back, lone surrogates too. */
function encodeUnits(text: string): string {
  let encoded = ''
  for (let i = 0; i < text.length; i++) {
    const hex = text.charCodeAt(i).toString(16).toUpperCase()
    encoded += hex.length > 2 ? `%u${hex.padStart(4, '0')}` : `%${hex.padStart(2, '0')}`
  }
  return encoded
}

/** A metric's name or a label's value as InfluxDB keeps it, before the escapes of line protocol. */
export function encodeText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, encodeUnits)
}

/** A label's name as a tag key; those that begin with `_` are left to InfluxDB and to us. */
export function encodeKey(name: string): string {
  const isReserved = name.charCodeAt(0) === UNDERSCORE || RESERVED_KEYS.has(name)
  return isReserved ? encodeUnits(name[0]!) + encodeText(name.slice(1)) : encodeText(name)
}

/** The inverse of `encodeText` and `encodeKey`. */
export function decodeText(encoded: string): string {
  if (!encoded.includes('%')) return encoded
  return encoded.replace(ENCODED, (_all, wide?: string, narrow?: string) =>
    String.fromCharCode(Number.parseInt(wide ?? narrow ?? '', 16))
  )
}
