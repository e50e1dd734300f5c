import type { OtlpResource, OtlpScope } from '../model.js'
import { RECORDS_PER_TURN, type DecodeSteps, TooManyRecords } from '../steps.js'
import { AttributeMap, readResource, readScope, stringField, unnamedScope } from './common.js'
import { InternedStrings } from '../../wire/protobuf/interned-strings.js'
import { LENGTH, ProtobufReader, type MessageSlice } from '../../wire/protobuf/reader.js'

/**
 * Reads the record at the position of the reader and adds its items. A large record, like a metric of many points,
 * returns steps, and begins a part (`beginPart`) for each.
 */
export type ReadRecord<Item> = (reader: ProtobufReader, scope: OtlpScope, into: Item[]) => Iterable<void> | void

/** A data point takes three when its metric, scope and resource hold nothing else: the most that a body in use has. */
const SLICES_PER_RECORD = 4
/**
 * The limit of fields of a record, a data point, a resource or a scope, including those of its attributes: it is read without a
 * pause. An attribute has four; a span of 128 events of 128 attributes each has 66,000.
 */
export const MAX_FIELDS = 200_000

/** What a request is read with. */
interface Reading<Item> {
  readonly reader: ProtobufReader
  readonly read: ReadRecord<Item>
  readonly into: Item[]
  readonly maxRecords: number
}

/**
 * Reads an `Export*ServiceRequest`: field 1 repeats resources, their field 2 scopes, their field 2 records; the three
 * signals differ only in the records. Fields come in any order, so what belongs to a resource or scope is read last.
 * Yields after some records, and after some fields wherever they are.
 */
export function* readGroups<Item>(body: Buffer, maxRecords: number, read: ReadRecord<Item>): DecodeSteps<Item> {
  const reader = new ProtobufReader(body, new InternedStrings(), SLICES_PER_RECORD * (maxRecords + 1))
  const reading: Reading<Item> = { reader, read, into: [], maxRecords }
  while (nextField(reader)) {
    if (reader.field === 1) yield* readResourceGroup(reading)
    else reader.skip()
    if (reader.isPauseDue) yield* pauseReading(reader)
  }
  return reading.into
}

/** Moves to the next field of a request, resource group or scope group; each is a part of its own. */
function nextField(reader: ProtobufReader): boolean {
  reader.beginPart(MAX_FIELDS)
  return reader.next()
}

/** Lets others go first. */
export function* pauseReading(reader: ProtobufReader): Generator<void, void> {
  yield
  reader.paused()
}

function* readResourceGroup<Item>(reading: Reading<Item>): Generator<void, void> {
  const { reader } = reading
  reader.expect(LENGTH)
  const attributes = new AttributeMap()
  let schemaUrl = ''
  const scopes: MessageSlice[] = []
  const outer = reader.enter()
  while (nextField(reader)) {
    if (reader.field === 1) readResource(reader, attributes)
    else if (reader.field === 2) scopes.push(reader.slice())
    else if (reader.field === 3) schemaUrl = stringField(reader)
    else reader.skip()
    if (reader.isPauseDue) yield* pauseReading(reader)
  }
  reader.leave(outer)
  const resource = { attributes: attributes.values, schemaUrl }
  for (const slice of scopes) yield* readScopeGroup(reading, slice, resource)
}

function* readScopeGroup<Item>(reading: Reading<Item>, group: MessageSlice, resource: OtlpResource): Generator<void, void> {
  const { reader } = reading
  let scope = unnamedScope(resource)
  const records: MessageSlice[] = []
  const outer = reader.goTo(group)
  while (nextField(reader)) {
    if (reader.field === 1) scope = readScope(reader, resource)
    else if (reader.field === 2) records.push(reader.slice())
    else reader.skip()
    if (reader.isPauseDue) yield* pauseReading(reader)
  }
  for (const [i, slice] of records.entries()) {
    reader.goTo(slice)
    yield* readRecord(reading, scope)
    if ((i + 1) % RECORDS_PER_TURN === 0 || reader.isPauseDue) yield* pauseReading(reader)
  }
  reader.goTo(outer)
}

/** Reads the record at the position of the reader. */
function* readRecord<Item>({ reader, read, into, maxRecords }: Reading<Item>, scope: OtlpScope): Generator<void, void> {
  reader.beginPart(MAX_FIELDS)
  for (const _ of read(reader, scope, into) ?? []) {
    if (into.length > maxRecords) throw new TooManyRecords(maxRecords)
    if (reader.isPauseDue) yield* pauseReading(reader)
  }
  // A metric holds any number of points.
  if (into.length > maxRecords) throw new TooManyRecords(maxRecords)
}
