import type { OtlpResource, OtlpScope } from '../model.js'
import { RECORDS_PER_TURN, type Steps, TooManyRecords } from '../steps.js'
import { AttributeMap, readResource, readScope, textField, unnamedScope } from './common.js'
import { InternedTexts } from '../../wire/protobuf/interned-texts.js'
import { LENGTH, ProtobufReader, type Slice } from '../../wire/protobuf/reader.js'

/** Reads the record that the reader stands on and adds what is in it. */
export type ReadRecord<Item> = (reader: ProtobufReader, scope: OtlpScope, into: Item[]) => void

/** A data point takes three when its metric, scope and resource hold nothing else: the most that a body in use has. */
const SLICES_PER_RECORD = 4

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
 */
export function* readGroups<Item>(body: Buffer, maxRecords: number, read: ReadRecord<Item>): Steps<Item> {
  const reader = new ProtobufReader(body, new InternedTexts(), SLICES_PER_RECORD * (maxRecords + 1))
  const reading: Reading<Item> = { reader, read, into: [], maxRecords }
  while (reader.next()) {
    if (reader.field === 1) yield* readResourceGroup(reading)
    else reader.skip()
  }
  return reading.into
}

function* readResourceGroup<Item>(reading: Reading<Item>): Generator<void, void> {
  const { reader } = reading
  reader.expect(LENGTH)
  const attributes = new AttributeMap()
  let schemaUrl = ''
  const scopes: Slice[] = []
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 1) readResource(reader, attributes)
    else if (reader.field === 2) scopes.push(reader.slice())
    else if (reader.field === 3) schemaUrl = textField(reader)
    else reader.skip()
  }
  reader.leave(outer)
  const resource = { attributes: attributes.values, schemaUrl }
  for (const slice of scopes) yield* readScopeGroup(reading, slice, resource)
}

function* readScopeGroup<Item>(reading: Reading<Item>, group: Slice, resource: OtlpResource): Generator<void, void> {
  const { reader, read, into, maxRecords } = reading
  let scope = unnamedScope(resource)
  const records: Slice[] = []
  reader.within(group, () => {
    while (reader.next()) {
      if (reader.field === 1) scope = readScope(reader, resource)
      else if (reader.field === 2) records.push(reader.slice())
      else reader.skip()
    }
  })
  for (const [i, slice] of records.entries()) {
    reader.within(slice, () => read(reader, scope, into))
    // A metric holds any number of points.
    if (into.length > maxRecords) throw new TooManyRecords(maxRecords)
    if ((i + 1) % RECORDS_PER_TURN === 0) yield
  }
}
