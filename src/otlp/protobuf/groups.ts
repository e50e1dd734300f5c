import type { OtlpResource, OtlpScope } from '../model.js'
import { AttributeMap, readResource, readScope, textField, unnamedScope } from './common.js'
import { LENGTH, type ProtobufReader, type Slice } from '../../protobuf/reader.js'

/** Reads the record that the reader stands on and adds what is in it. */
export type ReadRecord<Item> = (reader: ProtobufReader, scope: OtlpScope, into: Item[]) => void

/** Records that are read in one go; between two goes the caller may let others work. */
const RECORDS_PER_TURN = 500

/** Work that stops now and then; what it gives in the end is its result. */
export type Steps<Item> = Generator<void, Item[]>

/**
 * Reads an `Export*ServiceRequest`: field 1 repeats resources, their field 2 scopes, their field 2 records; the three
 * signals differ only in the records. Fields come in any order, so what belongs to a resource or scope is read last.
 */
export function* readGroups<Item>(reader: ProtobufReader, read: ReadRecord<Item>): Steps<Item> {
  const items: Item[] = []
  while (reader.next()) {
    if (reader.field === 1) yield* readResourceGroup(reader, read, items)
    else reader.skip()
  }
  return items
}

function* readResourceGroup<Item>(reader: ProtobufReader, read: ReadRecord<Item>, into: Item[]): Generator<void, void> {
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
  for (const slice of scopes) yield* readScopeGroup(reader, slice, read, resource, into)
}

function* readScopeGroup<Item>(
  reader: ProtobufReader,
  group: Slice,
  read: ReadRecord<Item>,
  resource: OtlpResource,
  into: Item[]
): Generator<void, void> {
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
    if ((i + 1) % RECORDS_PER_TURN === 0) yield
  }
}
