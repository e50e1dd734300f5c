import type { ErrorCode } from '../domain/errors.js'
import { withoutByteOrderMark } from '../domain/byte-order-mark.js'
import { GatewayError } from '../domain/errors.js'
import type { BodyForm } from './ingest-request.js'
import { complexityInSteps, findRecords, skipSpace, sliceItems, type JsonSlice } from '../wire/json/json-structure.js'
import type { IngestLimits } from './limits.js'
import { needsCare, parseJson } from '../wire/json/lossless-json.js'
import type { FairScheduler } from './fair-scheduler.js'

/** Replaces an item that could not be read at all: a broken line, a structure beyond every limit. */
export class UnreadableItem {
  readonly code: ErrorCode
  readonly detail: string

  constructor(code: ErrorCode, detail: string) {
    this.code = code
    this.detail = detail
  }
}

/** Records of a request, parsed but not checked. */
export interface RawRecords {
  /** Each is what JSON.parse gave, or an `UnreadableItem`. */
  readonly items: readonly unknown[]
  /** Member `namespace` of the envelope, or of the record of a single-record route. */
  readonly namespace: unknown
  /** Member `defaults` of an envelope of logs. */
  readonly defaults?: unknown
  /** Member `stream` of an envelope of logs. */
  readonly stream?: unknown
  /** Of protocols whose senders repeat a request as it was: when the body was made, by which and by its bytes it is known. */
  readonly sentNs?: bigint | undefined
  /** Metadata of the body, e.g. exemplars of series; not items of the response. */
  readonly metadata?: readonly unknown[]
}

/**
 * What a route's body holds: one record, or many under this key (also as a bare array or NDJSON). `batchKey` is the key of
 * the route that takes many of these records, where there is one.
 */
export type Shape =
  | { readonly kind: 'one'; readonly batchKey?: 'logs' | 'metrics' }
  | { readonly kind: 'many'; readonly key: 'logs' | 'metrics' }

const NEWLINE = 0x0a
const BLANK = /^[ \t\r]*$/
// 256 fields of 8 levels have at most this many names; arrays of numbers at most this many commas (31 KiB each).
const MAX_COMPLEXITY = 20_000
const TOO_COMPLEX = new UnreadableItem('record_too_large', 'the record exceeds the limit of fields and values')
const BROKEN_LINE = new UnreadableItem('invalid_json', 'the line is not JSON')

function notJson(detail: string): GatewayError {
  return new GatewayError('invalid_json', detail)
}

function parseOrThrow(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch {
    throw notJson('the body is not JSON')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own member of a parsed object: a name like `constructor` must not reach the prototype. */
function member(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

const ENVELOPE_MEMBERS: ReadonlySet<string> = new Set(['namespace', 'defaults', 'stream'])

/** Whether it is the envelope of a batch and nothing else. */
function isBatch(record: Record<string, unknown>, batchKey: string | undefined): boolean {
  if (batchKey === undefined || !Array.isArray(member(record, batchKey))) return false
  return Object.keys(record).every(key => key === batchKey || ENVELOPE_MEMBERS.has(key))
}

function notOne(batchKey: string | undefined): GatewayError {
  const elsewhere = batchKey === undefined ? '' : `; many ${batchKey} go to the route that ends in /batch`
  return new GatewayError('invalid_field', `the body must be one record, a JSON object${elsewhere}`)
}

/** How a route's bodies become records. Throws `GatewayError` for what cannot be read at all. */
export interface ReadRecords {
  read(body: Buffer, form: BodyForm): RawRecords | Promise<RawRecords>
}

/** Reads the bytes of one body; a large one in slices, so that the event loop stays free. */
export class RecordReader implements ReadRecords {
  readonly #shape: Shape
  readonly #limits: IngestLimits
  readonly #scheduler: FairScheduler

  constructor(shape: Shape, limits: IngestLimits, scheduler: FairScheduler) {
    this.#shape = shape
    this.#limits = limits
    this.#scheduler = scheduler
  }

  /** The records of the body. `invalid_json`, `missing_field` without the records' key, `payload_too_large` for too many. */
  read(body: Buffer, form: BodyForm): RawRecords | Promise<RawRecords> {
    const bytes = withoutByteOrderMark(body)
    if (bytes.length === 0) throw notJson('the body is empty')
    const isLarge = bytes.length > this.#limits.sliceBytes
    if (this.#shape.kind === 'one') {
      const { batchKey } = this.#shape
      return isLarge ? this.#yieldsOver(this.#largeOne(bytes, batchKey)) : this.#one(bytes, batchKey)
    }
    if (form === 'ndjson') return isLarge ? this.#yieldsOver(this.#lines(bytes)) : this.#atOnce(this.#lines(bytes))
    if (!isLarge) return this.#many(parseOrThrow(bytes), this.#shape.key)
    return this.#yieldsOver(this.#slices(bytes, this.#shape.key))
  }

  /** Scanned in slices, parsed in one more. */
  *#largeOne(bytes: Buffer, batchKey?: string): Generator<void, RawRecords> {
    if (yield* this.#isTooComplex(bytes)) return { items: [TOO_COMPLEX], namespace: undefined }
    yield
    return this.#one(bytes, batchKey)
  }

  #one(bytes: Buffer, batchKey?: string): RawRecords {
    const record = parseOrThrow(bytes)
    if (!isObject(record) || isBatch(record, batchKey)) throw notOne(batchKey)
    return { items: [record], namespace: member(record, 'namespace') }
  }

  #many(body: unknown, key: string): RawRecords {
    if (Array.isArray(body)) return { items: this.#bounded(body), namespace: undefined }
    if (!isObject(body)) throw new GatewayError('invalid_field', `the body must be an object with ${key}, or an array`)
    const items = member(body, key)
    if (items === undefined || items === null) {
      const detail = `${key} is required: the body must be an object with ${key}, or an array`
      throw new GatewayError('missing_field', detail, { field: key })
    }
    if (!Array.isArray(items)) throw new GatewayError('invalid_field', `${key} must be an array`, { field: key })
    const records = { items: this.#bounded(items), namespace: member(body, 'namespace') }
    if (key !== 'logs') return records
    return { ...records, defaults: member(body, 'defaults'), stream: member(body, 'stream') }
  }

  #bounded(items: readonly unknown[]): readonly unknown[] {
    if (items.length > this.#limits.batchRecords) throw this.#tooMany()
    return items
  }

  #tooMany(): GatewayError {
    return new GatewayError('payload_too_large', `a request must not exceed ${this.#limits.batchRecords} records`)
  }

  #atOnce(steps: Generator<void, RawRecords>): RawRecords {
    let step = steps.next()
    while (!step.done) step = steps.next()
    return step.value
  }

  async #yieldsOver(steps: Generator<void, RawRecords>): Promise<RawRecords> {
    for (;;) {
      await this.#scheduler.next()
      const step = steps.next()
      if (step.done) return step.value
    }
  }

  /** One item per line that is not blank; yields after each slice of whole lines. */
  *#lines(bytes: Buffer): Generator<void, RawRecords> {
    const items: unknown[] = []
    const sliceBytes = this.#limits.sliceBytes / 2
    for (let start = 0; start < bytes.length;) {
      const newline = start + sliceBytes < bytes.length ? bytes.indexOf(NEWLINE, start + sliceBytes) : -1
      const end = newline < 0 ? bytes.length : newline
      yield* this.#someLines(bytes.subarray(start, end), items)
      start = end + 1
      if (start < bytes.length) yield
    }
    return { items, namespace: undefined }
  }

  *#someLines(bytes: Buffer, items: unknown[]): Generator<void, void> {
    const text = bytes.length > this.#limits.sliceBytes ? null : bytes.toString()
    if (text === null || needsCare(bytes, text)) {
      yield* this.#carefulLines(bytes, items)
      return
    }
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf('\n', start)
      const end = newline < 0 ? text.length : newline
      this.#addLine(items, text.slice(start, end), JSON.parse)
      start = end + 1
    }
  }

  /** Line by line as bytes: for long lines, and where a number or a surrogate needs `parseJson`. */
  *#carefulLines(bytes: Buffer, items: unknown[]): Generator<void, void> {
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline < 0 ? bytes.length : newline
      const line = bytes.subarray(start, end)
      this.#addLine(items, line, (yield* this.#isTooComplex(line)) ? () => TOO_COMPLEX : parseJson)
      start = end + 1
    }
  }

  #addLine<Line extends string | Buffer>(items: unknown[], line: Line, parse: (line: Line) => unknown): void {
    const isBlank = typeof line === 'string' ? BLANK.test(line) : skipSpace(line, 0) >= line.length
    if (isBlank) return
    if (items.length === this.#limits.batchRecords) throw this.#tooMany()
    try {
      items.push(parse(line))
    } catch {
      // Refused in its turn, as `invalid_json`.
      items.push(BROKEN_LINE)
    }
  }

  /** Only large stretches are looked at: parsing a small one costs less. */
  *#isTooComplex(bytes: Buffer): Generator<void, boolean> {
    if (bytes.length <= this.#limits.sliceBytes) return false
    return (yield* complexityInSteps(bytes, MAX_COMPLEXITY)) > MAX_COMPLEXITY
  }

  /** The items of the records' array slice by slice, then what is around it. */
  *#slices(bytes: Buffer, key: string): Generator<void, RawRecords> {
    const open = yield* findRecords(bytes, key)
    yield
    if (open < 0) return this.#many(this.#rest(bytes), key)
    const items: unknown[] = []
    const slices = sliceItems(bytes, open, this.#limits.sliceBytes / 2)
    let step = slices.next()
    while (!step.done) {
      if (step.value !== null) for (const item of this.#slice(bytes, step.value)) items.push(item)
      if (items.length > this.#limits.batchRecords) throw this.#tooMany()
      yield
      step = slices.next()
    }
    if (step.value < 0) throw notJson('the body is not JSON')
    const around = this.#rest(Buffer.concat([bytes.subarray(0, open), Buffer.from('[]'), bytes.subarray(step.value)]))
    const rest = this.#many(around, key)
    // JSON.parse lets the last of two equal keys win.
    return rest.items.length > 0 ? rest : { ...rest, items }
  }

  #slice(bytes: Buffer, slice: JsonSlice): readonly unknown[] {
    if (slice.items > this.#limits.batchRecords) throw this.#tooMany()
    const isBlank = skipSpace(bytes, slice.start) >= slice.end
    if (isBlank && slice.isLast && slice.items === 1 && slice.start > 0 && bytes[slice.start - 1] === 0x5b) return []
    if (isBlank) throw notJson('the body is not JSON')
    // A slice of one long item: its bytes are bounded by the body's limit, its structure here.
    if (slice.items === 1 && slice.complexity > MAX_COMPLEXITY) return [TOO_COMPLEX]
    return parseOrThrow(Buffer.concat([OPEN, bytes.subarray(slice.start, slice.end), CLOSE])) as unknown[]
  }

  /** A body without its records must be small. */
  #rest(bytes: Buffer): unknown {
    if (bytes.length > this.#limits.sliceBytes)
      throw new GatewayError('record_too_large', 'the body exceeds the limit of data outside its records')
    return parseOrThrow(bytes)
  }
}

const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
