// Finds the structure of a large body without parsing it, so that it can be parsed in slices and so that an item which
// is too complex to be a record is refused unparsed. Invalid JSON is found when the slices are parsed.

export const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Some items of an array, with the commas between them: `start` inclusive, `end` exclusive. */
export interface JsonSlice {
  readonly start: number
  readonly end: number
  readonly items: number
  /** Colons, commas and opening brackets outside strings: what parsing costs beyond its bytes. */
  readonly complexity: number
  /** The array ends behind this slice. */
  readonly isLast: boolean
}

/** Bytes that are scanned between two steps: some milliseconds. */
const SCANNED_AT_ONCE = 512 * 1024

/** Whether this is white space of JSON. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The position of the first byte from `at` on that is not a white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at
  while (isSpace(bytes[i])) i++
  return i
}

/**
 * Scans a string from `at`, a position within it, until `until`: the position behind its closing quote, or `~position`
 * from where to go on.
 */
function scanString(bytes: Uint8Array, at: number, until: number): number {
  let i = at
  while (i < bytes.length) {
    if (i >= until) return ~i
    const byte = bytes[i]!
    if (byte === QUOTE) return i + 1
    i += byte === BACKSLASH ? 2 : 1
  }
  return bytes.length
}

/** The position behind the string whose opening quote is at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  return scanString(bytes, at + 1, bytes.length)
}

/** The position behind a string that `scanString` left at `at`, in steps of `stepBytes`; yields `pause` before each. */
function* skipRest<Pause>(bytes: Uint8Array, at: number, stepBytes: number, pause: Pause): Generator<Pause, number> {
  let end = ~at
  while (end < 0) {
    yield pause
    end = scanString(bytes, ~end, ~end + stepBytes)
  }
  return end
}

/** As `skipString`; yields when the string goes on at `pauseAt`, and every `stepBytes` from there. */
export function* skipLongString(bytes: Uint8Array, at: number, pauseAt: number, stepBytes: number): Generator<void, number> {
  const end = scanString(bytes, at + 1, pauseAt)
  return end >= 0 ? end : yield* skipRest(bytes, ~end, stepBytes, undefined)
}

/**
 * Colons, commas and opening brackets outside strings: what parsing costs beyond the bytes, and the most levels that there
 * can be. Stops counting beyond `enough`; `from` and `until` bound the stretch. Yields now and then.
 */
export function* complexityInSteps(bytes: Uint8Array, enough: number, from = 0, until = bytes.length): Generator<void, number> {
  let count = 0
  let pauseAt = from + SCANNED_AT_ONCE
  for (let i = from; i < until && count <= enough;) {
    if (i >= pauseAt) {
      yield
      pauseAt = i + SCANNED_AT_ONCE
    }
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = scanString(bytes, i + 1, pauseAt)
      if (i < 0) i = yield* skipRest(bytes, ~i, SCANNED_AT_ONCE, undefined)
      continue
    }
    if (byte === COMMA || byte === COLON || byte === OPEN_ARRAY || byte === OPEN_OBJECT) count++
    i++
  }
  return count
}

/** As `complexityInSteps`, at once: for stretches of a few MiB at most. */
export function complexityOf(bytes: Uint8Array, enough: number): number {
  const counting = complexityInSteps(bytes, enough)
  let step = counting.next()
  while (!step.done) step = counting.next()
  return step.value
}

/** The `[` of the array that is the value of the key which the string from `at` to `end` spells; -1 when it is not a such key. */
export function arrayOfKey(bytes: Buffer, at: number, end: number, key: string): number {
  if (end - at !== key.length + 2 || bytes.toString('latin1', at + 1, end - 1) !== key) return -1
  const colon = skipSpace(bytes, end)
  const value = skipSpace(bytes, colon + 1)
  return bytes[colon] === COLON && bytes[value] === OPEN_ARRAY ? value : -1
}

/** By how much a byte outside strings changes the depth of brackets. */
export function depthOf(byte: number): -1 | 0 | 1 {
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return 1
  return byte === CLOSE_OBJECT || byte === CLOSE_ARRAY ? -1 : 0
}

/**
 * The position of the `[` that opens the records: the body's own, or the value of the member `key` of the object that
 * the body is; -1 if it is not found. Yields now and then.
 */
export function* findRecords(bytes: Buffer, key: string): Generator<void, number> {
  const first = skipSpace(bytes, 0)
  if (bytes[first] === OPEN_ARRAY) return first
  if (bytes[first] !== OPEN_OBJECT) return -1
  let depth = 0
  let pauseAt = first + SCANNED_AT_ONCE
  for (let i = first; i < bytes.length;) {
    if (i >= pauseAt) {
      yield
      pauseAt = i + SCANNED_AT_ONCE
    }
    const byte = bytes[i]!
    if (byte === QUOTE) {
      let end = scanString(bytes, i + 1, pauseAt)
      if (end < 0) end = yield* skipRest(bytes, ~end, SCANNED_AT_ONCE, undefined)
      const open = depth === 1 ? arrayOfKey(bytes, i, end, key) : -1
      if (open >= 0) return open
      i = end
      continue
    }
    depth += depthOf(byte)
    i++
  }
  return -1
}

/** The state of the slicing of an array: the slice since `start`, and its last item since `itemStart`. */
interface Cut {
  start: number
  items: number
  complexity: number
  itemStart: number
  itemComplexity: number
}

/** The slices that end with the item which ends at `end`; an item as long as a slice is a slice of its own. */
function* slicesUntil(cut: Cut, end: number, sliceBytes: number, isLast: boolean): Generator<JsonSlice, void> {
  const isLongItem = end - cut.itemStart >= sliceBytes
  if (isLongItem && cut.items > 1) {
    const complexity = cut.complexity - cut.itemComplexity
    yield { start: cut.start, end: cut.itemStart - 1, items: cut.items - 1, complexity, isLast: false }
    Object.assign(cut, { start: cut.itemStart, items: 1, complexity: cut.itemComplexity })
  }
  if (!isLast && end - cut.start < sliceBytes) {
    cut.items++
  } else {
    yield { start: cut.start, end, items: cut.items, complexity: cut.complexity, isLast }
    Object.assign(cut, { start: end + 1, items: 1, complexity: 0 })
  }
  cut.itemStart = end + 1
  cut.itemComplexity = 0
}

/**
 * Cuts the array that opens at `open` into slices of whole items, each about `sliceBytes` long (longer for a longer
 * item). Only brackets and quotes are looked at. Yields null within a long item or string, so that others are not delayed by it.
 * @returns the position behind the array, or -1 when it does not end or ends with the wrong bracket.
 */
export function* sliceItems(bytes: Uint8Array, open: number, sliceBytes: number): Generator<JsonSlice | null, number> {
  const cut: Cut = { start: open + 1, items: 1, complexity: 0, itemStart: open + 1, itemComplexity: 0 }
  let depth = 1
  let pauseAt = open + SCANNED_AT_ONCE
  for (let i = open + 1; i < bytes.length;) {
    if (i >= pauseAt) {
      yield null
      pauseAt = i + SCANNED_AT_ONCE
    }
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = scanString(bytes, i + 1, pauseAt)
      if (i < 0) i = yield* skipRest(bytes, ~i, SCANNED_AT_ONCE, null)
      continue
    }
    const change = depthOf(byte)
    depth += change
    if (byte === COMMA && depth === 1) yield* slicesUntil(cut, i, sliceBytes, false)
    else if (change > 0 || byte === COMMA || byte === COLON) {
      cut.complexity++
      cut.itemComplexity++
    }
    if (depth === 0) {
      if (byte !== CLOSE_ARRAY) return -1
      yield* slicesUntil(cut, i, sliceBytes, true)
      return i + 1
    }
    i++
  }
  return -1
}
