import type { GroupNames } from './group-names.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Depth of the brackets inside of a list of records: body, resources, resource, scopes, scope, records. */
const RECORDS_DEPTH = 6

/** A body without its records, and where these stand in it. */
export interface CutBody {
  /** The body with `[n]` in the place of the nth list of records. */
  readonly rest: Buffer
  /** Of each list: where its slices begin and end, in whole records. */
  readonly lists: readonly (readonly Slice[])[]
}

/** `start` inclusive, `end` exclusive. */
interface Slice {
  readonly start: number
  readonly end: number
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Goes through the brackets and strings of a body. */
class Scan {
  readonly #bytes: Buffer
  readonly #names: readonly string[]
  readonly #sliceBytes: number
  readonly #parts: Buffer[] = []
  readonly #lists: Slice[][] = []
  /** How many of the three names lead to where the scan stands. */
  #matched = 0
  #depth = 0
  #at = 0
  #copied = 0
  #sliceStart = 0

  constructor(bytes: Buffer, names: GroupNames, sliceBytes: number) {
    this.#bytes = bytes
    this.#names = [names.resources, names.scopes, names.records]
    this.#sliceBytes = sliceBytes
  }

  /** Goes on for about so many bytes; false at the end. */
  advance(count: number): boolean {
    const until = Math.min(this.#bytes.length, this.#at + count)
    while (this.#at < until) this.#step(this.#bytes[this.#at]!)
    return this.#at < this.#bytes.length
  }

  result(): CutBody {
    return { rest: Buffer.concat([...this.#parts, this.#bytes.subarray(this.#copied)]), lists: this.#lists }
  }

  #step(byte: number): void {
    if (byte === QUOTE) return this.#string()
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#close(byte)
    else if (byte === COMMA && this.#isInRecords() && this.#at - this.#sliceStart >= this.#sliceBytes) this.#cut()
    this.#at++
  }

  #isInRecords(): boolean {
    return this.#matched === this.#names.length && this.#depth === RECORDS_DEPTH
  }

  /** A name may lead further down: the nth of them stands in an object at depth 2n + 1, before a list. */
  #string(): void {
    const start = this.#at + 1
    const end = this.#endOfString(start)
    this.#at = end + 1
    const name = this.#names[this.#matched]
    if (name === undefined || this.#depth !== 2 * this.#matched + 1) return
    if (end - start !== name.length || this.#bytes.toString('latin1', start, end) !== name) return
    const colon = this.#skipSpace(this.#at)
    const value = this.#skipSpace(colon + 1)
    if (this.#bytes[colon] !== COLON || this.#bytes[value] !== OPEN_ARRAY) return
    this.#matched++
    this.#depth++
    this.#at = value + 1
    if (this.#isInRecords()) this.#open()
  }

  #close(byte: number): void {
    if (byte === CLOSE_ARRAY && this.#isInRecords()) {
      this.#cut()
      this.#copied = this.#at
    }
    this.#depth--
    if (this.#matched > 0 && this.#depth === 2 * this.#matched - 1) this.#matched--
  }

  #open(): void {
    this.#parts.push(this.#bytes.subarray(this.#copied, this.#at), Buffer.from(String(this.#lists.length)))
    this.#lists.push([])
    this.#copied = this.#at
    this.#sliceStart = this.#at
  }

  #cut(): void {
    this.#lists.at(-1)!.push({ start: this.#sliceStart, end: this.#at })
    this.#sliceStart = this.#at + 1
  }

  #endOfString(start: number): number {
    let i = start
    while (i < this.#bytes.length && this.#bytes[i] !== QUOTE) i += this.#bytes[i] === BACKSLASH ? 2 : 1
    return i
  }

  #skipSpace(from: number): number {
    let i = from
    while (isSpace(this.#bytes[i])) i++
    return i
  }
}

/**
 * Cuts the lists of records out of a body, so that they can be parsed in slices of about `sliceBytes`. Looks at brackets and
 * strings alone, `sliceBytes` of them between two steps; what is no JSON is found when the parts are parsed.
 */
export function* cutRecords(bytes: Buffer, names: GroupNames, sliceBytes: number): Generator<void, CutBody> {
  const scan = new Scan(bytes, names, sliceBytes)
  while (scan.advance(sliceBytes)) yield
  return scan.result()
}
