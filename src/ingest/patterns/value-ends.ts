import { CLOSER, BLANK, classOf, DIGIT, HEX, isAlnumAt, isDigitAt, LETTER, runEnd } from './chars.js'

// Each function returns where a value of its kind that begins at a position ends, or -1. They read a bounded number of
// characters, or move forward only: a message is scanned in linear time.

const DOT = 46
const COMMA = 44
const COLON = 58
const DASH = 45
const SLASH = 47
const PERCENT = 37

function digitsAt(text: string, at: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (!isDigitAt(text, at + i)) return false
  return true
}

function isTimeMark(code: number): boolean {
  return code === COLON || code === COMMA || code === DOT
}

function fractionEnd(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at)
  return (code === DOT || code === COMMA) && isDigitAt(text, at + 1) ? runEnd(text, at + 1, end, DIGIT) : at
}

function zoneEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === 90 || code === 122) return at + 1
  if ((code !== 43 && code !== DASH) || !digitsAt(text, at + 1, 2)) return at
  const minutes = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3
  return digitsAt(text, minutes, 2) ? minutes + 2 : at
}

/** `12:34:56` or `12:34:56.789`. */
export function clockEnd(text: string, at: number, end: number): number {
  const hourEnd = isDigitAt(text, at + 1) ? at + 2 : at + 1
  if (text.charCodeAt(hourEnd) !== COLON || !digitsAt(text, hourEnd + 1, 2)) return -1
  if (text.charCodeAt(hourEnd + 3) !== COLON || !digitsAt(text, hourEnd + 4, 2)) return -1
  const stop = zoneEnd(text, fractionEnd(text, hourEnd + 6, end))
  return isAlnumAt(text, stop) || text.charCodeAt(stop) === COLON ? -1 : stop
}

/** A date of three groups (`2024-05-01`, `1/5/24`), with its time where one follows. */
export function dateEnd(text: string, at: number, end: number): number {
  const first = runEnd(text, at, Math.min(end, at + 5), DIGIT)
  const mark = text.charCodeAt(first)
  if (first - at > 4 || (mark !== DASH && mark !== SLASH)) return -1
  const second = runEnd(text, first + 1, Math.min(end, first + 4), DIGIT)
  if (second === first + 1 || second - first > 3 || text.charCodeAt(second) !== mark) return -1
  const third = runEnd(text, second + 1, Math.min(end, second + 6), DIGIT)
  if (third === second + 1 || third - second > 5) return -1
  const joint = text.charCodeAt(third)
  const clock = third + 1
  if ((joint === 84 || joint === 32 || joint === 95) && digitsAt(text, clock, 2) && digitsAt(text, clock + 3, 2)) {
    if (isTimeMark(text.charCodeAt(clock + 2)) && isTimeMark(text.charCodeAt(clock + 5)) && digitsAt(text, clock + 6, 2)) {
      return zoneEnd(text, fractionEnd(text, clock + 8, end))
    }
  }
  return isAlnumAt(text, third) ? -1 : third
}

/** An IPv4 address, with its prefix length or port. */
export function ip4End(text: string, at: number): number {
  let next = at
  for (let group = 0; group < 4; group++) {
    const from = next
    next = runEnd(text, from, from + 4, DIGIT)
    if (next === from || next - from > 3) return -1
    if (group < 3 && text.charCodeAt(next++) !== DOT) return -1
  }
  if (text.charCodeAt(next) === SLASH && isDigitAt(text, next + 1)) next = runEnd(text, next + 1, next + 3, DIGIT)
  else if (text.charCodeAt(next) === COLON && isDigitAt(text, next + 1)) {
    const port = runEnd(text, next + 1, next + 6, DIGIT)
    if (!isAlnumAt(text, port)) next = port
  }
  const follows = text.charCodeAt(next)
  if (isAlnumAt(text, next) || follows === DASH) return -1
  return follows === DOT && isAlnumAt(text, next + 1) ? -1 : next
}

/** A MAC address, as `ip6End` of six or more pairs; an IPv6 address with at least two colons. */
export function colonGroupsEnd(text: string, at: number, end: number): number {
  let next = at
  let colons = 0
  let hasDigit = false
  for (;;) {
    const stop = runEnd(text, next, Math.min(end, next + 5), HEX)
    if (stop - next > 4) return -1
    for (let i = next; i < stop && !hasDigit; i++) hasDigit = isDigitAt(text, i)
    next = stop
    if (text.charCodeAt(next) !== COLON || colons === 8) break
    colons++
    next++
  }
  if (text.charCodeAt(next) === PERCENT) next = runEnd(text, next + 1, end, LETTER | DIGIT)
  if (text.charCodeAt(next) === DOT && isDigitAt(text, next + 1)) next = runEnd(text, next + 1, end, DIGIT)
  if (colons < 2 || !hasDigit || next - at < 6 || isAlnumAt(text, next)) return -1
  return text.charCodeAt(next) === COLON ? -1 : next
}

/** Six or more pairs of hexadecimal digits between dashes. */
export function dashPairsEnd(text: string, at: number): number {
  let next = at
  for (let pairs = 1; ; pairs++) {
    if ((classOf(text.charCodeAt(next)) & classOf(text.charCodeAt(next + 1)) & HEX) === 0) return -1
    next += 2
    if (text.charCodeAt(next) !== DASH) return pairs >= 6 && !isAlnumAt(text, next) ? next : -1
    next++
  }
}

const UUID_GROUPS = [8, 4, 4, 4, 12]

/** `8-4-4-4-12` hexadecimal digits. */
export function uuidEnd(text: string, at: number): number {
  let next = at
  for (let group = 0; group < UUID_GROUPS.length; group++) {
    if (group > 0 && text.charCodeAt(next++) !== DASH) return -1
    const stop = next + UUID_GROUPS[group]!
    if (runEnd(text, next, stop, HEX) !== stop) return -1
    next = stop
  }
  return isAlnumAt(text, next) ? -1 : next
}

/** `0x1f`. */
export function prefixedHexEnd(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== 48 || (text.charCodeAt(at + 1) | 32) !== 120) return -1
  const stop = runEnd(text, at + 2, end, HEX)
  return stop === at + 2 || isAlnumAt(text, stop) ? -1 : stop
}

/** End of the digits of a number, with groups and decimals; what follows is not looked at. */
export function digitsEnd(text: string, at: number, end: number): number {
  let next = runEnd(text, at, end, DIGIT)
  for (;;) {
    const stop = fractionEnd(text, next, end)
    if (stop === next) return next
    next = stop
  }
}

/** Whether a number may end at a position: no word, version or compound goes on there. */
export function endsNumber(text: string, at: number): boolean {
  if (isAlnumAt(text, at)) return false
  const code = text.charCodeAt(at)
  return (code !== DOT && code !== DASH) || !isAlnumAt(text, at + 1)
}

/** Exponent and percent sign behind the digits of a number. */
export function numberTailEnd(text: string, at: number, end: number): number {
  let next = at
  if ((text.charCodeAt(next) | 32) === 101) {
    const sign = text.charCodeAt(next + 1)
    const from = sign === 43 || sign === DASH ? next + 2 : next + 1
    if (isDigitAt(text, from)) next = runEnd(text, from, end, DIGIT)
  }
  return text.charCodeAt(next) === PERCENT ? next + 1 : next
}

const UNITS: ReadonlySet<string> = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'sec', 'secs', 'm', 'min', 'mins', 'h', 'd'])

/** Whether the letters behind a number are a unit of time. */
export function isTimeUnit(text: string, at: number, end: number): boolean {
  return end - at <= 4 && UNITS.has(text.slice(at, end))
}

/** A path of at least one segment: `/var/log/x.log`. */
export function pathEnd(text: string, at: number, end: number): number {
  let next = at
  while (next < end) {
    const code = text.charCodeAt(next)
    if ((classOf(code) & (CLOSER | BLANK)) !== 0 || code === COLON || code === 61) break
    next++
  }
  next = withoutStop(text, at, next)
  return next > at + 1 ? next : -1
}

/** An address behind its scheme. */
export function urlEnd(text: string, at: number, end: number): number {
  let next = at
  while (next < end) {
    const code = text.charCodeAt(next)
    if ((classOf(code) & BLANK) !== 0 || ((classOf(code) & CLOSER) !== 0 && code !== COMMA && code !== 59)) break
    next++
  }
  return withoutStop(text, at, next)
}

/** Without the punctuation of the sentence behind a path or an address. */
function withoutStop(text: string, at: number, end: number): number {
  let next = end
  while (next > at) {
    const code = text.charCodeAt(next - 1)
    if (code !== DOT && code !== COLON && code !== COMMA && code !== 59) break
    next--
  }
  return next
}
