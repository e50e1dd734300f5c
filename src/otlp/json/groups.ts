import { withoutByteOrderMark } from '../../domain/byte-order-mark.js'
import { complexityInSteps } from '../../wire/json/json-structure.js'
import { parseJson } from '../../wire/json/lossless-json.js'
import { MalformedOtlp, type OtlpResource, type OtlpScope } from '../model.js'
import { RECORDS_PER_TURN, type DecodeSteps, TooManyRecords } from '../steps.js'
import { type CutBody, cutRecords, type GroupNames } from './cut-records.js'
import { asMessage, attributesIn, listIn, type Message, messageIn, messagesIn, stringIn } from './values.js'

/** A body above this is read in slices of half of it, so that no parsing delays what else there is to do. */
const LARGE_BYTES = 256 * 1024
/** Colons, commas and opening brackets: the limit for one long record, and for everything outside records. */
const MAX_RECORD_COMPLEXITY = 50_000
const MAX_REST_COMPLEXITY = 250_000
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')

/** Throws for what would take too long to parse; yields now and then. */
function* refuseComplex(json: Buffer, what: string, max: number): Generator<null, void> {
  const counting = complexityInSteps(json, max)
  let step = counting.next()
  for (; !step.done; step = counting.next()) yield null
  if (step.value > max) throw new MalformedOtlp(`${what} has more than ${max} members and values`)
}

function parse(json: Buffer): unknown {
  try {
    return parseJson(json)
  } catch {
    throw new MalformedOtlp('the body is not JSON')
  }
}

/**
 * Reads an `Export*ServiceRequest` in steps; `read` adds what a record holds. Throws `MalformedOtlp`, `TooManyRecords`.
 * @param largeBytes bodies above it are read in slices of half of it
 */
export function* readJsonGroups<Item>(
  body: Buffer,
  maxRecords: number,
  names: GroupNames,
  read: (record: Message, scope: OtlpScope, into: Item[]) => void,
  largeBytes = LARGE_BYTES
): DecodeSteps<Item> {
  const items: Item[] = []
  let count = 0
  for (const part of partsOf(withoutByteOrderMark(body), names, largeBytes)) {
    if (part === null) {
      yield
      continue
    }
    read(part.record, part.scope, items)
    if (items.length > maxRecords) throw new TooManyRecords(maxRecords)
    if (++count % RECORDS_PER_TURN === 0) yield
  }
  return items
}

interface Part {
  readonly record: Message
  readonly scope: OtlpScope
}

/** Lists of records of a scope; null where others may go first. */
type Lists = Generator<readonly Message[] | null, void>

/** Every record with its scope; null where others may go first. */
function* partsOf(body: Buffer, names: GroupNames, largeBytes: number): Generator<Part | null, void> {
  if (body.length <= largeBytes) {
    yield* recordsOf(parse(body), names, scope => whole(scope, names))
    return
  }
  const sliceBytes = largeBytes / 2
  const cutting = cutRecords(body, names, sliceBytes)
  let step = cutting.next()
  while (!step.done) {
    yield null
    step = cutting.next()
  }
  const { lists } = step.value
  yield* refuseComplex(step.value.rest, 'the request without its records', MAX_REST_COMPLEXITY)
  yield null
  const rest = parse(step.value.rest)
  const slices = new SlicedRecords(body, lists, sliceBytes)
  if (areInOrder(rest, names, lists.length)) yield* recordsOf(rest, names, scope => slices.of(scope, names.records))
  else {
    yield* refuseComplex(body, 'the request', MAX_REST_COMPLEXITY)
    yield* recordsOf(parse(body), names, scope => whole(scope, names))
  }
}

/**
 * Whether the lists that were cut out are those that the structure has, each once: the cut does not know names that are
 * written with escapes, nor which of two equal ones counts.
 */
function areInOrder(rest: unknown, names: GroupNames, count: number): boolean {
  let next = 0
  for (const group of messagesIn(asMessage(rest, 'the body'), names.resources)) {
    for (const scope of messagesIn(group, names.scopes)) {
      const list = listIn(scope, names.records)
      if (list.length > 0 && (list.length > 1 || list[0] !== next++)) return false
    }
  }
  return next === count
}

function* whole(scope: Message, names: GroupNames): Lists {
  yield messagesIn(scope, names.records)
}

/** Records that were cut out of their scopes, parsed slice by slice. */
class SlicedRecords {
  readonly #body: Buffer
  readonly #lists: CutBody['lists']
  readonly #sliceBytes: number
  /** Since others could go first. */
  #parsedBytes = 0

  constructor(body: Buffer, lists: CutBody['lists'], sliceBytes: number) {
    this.#body = body
    this.#lists = lists
    this.#sliceBytes = sliceBytes
  }

  *of(scope: Message, name: string): Lists {
    const [place] = listIn(scope, name)
    if (place === undefined) return
    const slices = this.#lists[place as number]!
    for (const { start, end, items, complexity } of slices) {
      if (items === 1 && complexity > MAX_RECORD_COMPLEXITY)
        throw new MalformedOtlp(`a record has more than ${MAX_RECORD_COMPLEXITY} members and values`)
      const list = parse(Buffer.concat([OPEN, this.#body.subarray(start, end), CLOSE])) as readonly unknown[]
      // A blank slice is an empty list, or a superfluous comma.
      if (list.length === 0 && slices.length > 1) throw new MalformedOtlp('the body is not JSON')
      yield list.map(item => asMessage(item, name))
      this.#parsedBytes += end - start
      if (this.#parsedBytes < this.#sliceBytes) continue
      this.#parsedBytes = 0
      yield null
    }
  }
}

function* recordsOf(body: unknown, names: GroupNames, listsOf: (scope: Message) => Lists): Generator<Part | null, void> {
  for (const group of messagesIn(asMessage(body, 'the body'), names.resources)) {
    const attributes = attributesIn(messageIn(group, 'resource') ?? {}, 'attributes')
    const resource = { attributes, schemaUrl: stringIn(group, 'schemaUrl') }
    for (const inner of messagesIn(group, names.scopes)) {
      yield* partsOfScope(scopeOf(messageIn(inner, 'scope') ?? {}, resource), listsOf(inner))
    }
  }
}

function* partsOfScope(scope: OtlpScope, lists: Lists): Generator<Part | null, void> {
  for (const records of lists) {
    if (records === null) yield null
    else yield* records.map(record => ({ record, scope }))
  }
}

function scopeOf(own: Message, resource: OtlpResource): OtlpScope {
  return { resource, name: stringIn(own, 'name'), version: stringIn(own, 'version'), attributes: attributesIn(own, 'attributes') }
}
