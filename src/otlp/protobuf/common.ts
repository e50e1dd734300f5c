import { bareObject } from '../../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../../domain/json.js'
import { jsonDouble, jsonInteger } from '../json-number.js'
import type { OtlpResource, OtlpScope } from '../model.js'
import { FIXED32, FIXED64, LENGTH, type ProtobufReader, VARINT } from '../../wire/protobuf/reader.js'

// opentelemetry/proto/common/v1/common.proto and resource/v1/resource.proto.

/** Deeper than any configured depth of a record's fields: such a record is refused by its own check, its neighbors are not. */
const MAX_DEPTH = 80
const EMPTY: JsonObject = Object.freeze(bareObject<JsonValue>())

/** Attributes as they are gathered, one key after the other. */
export class AttributeMap {
  #values: Record<string, JsonValue> | null = null

  /** Keys are unique by the data model; of two equal ones the last counts. */
  set(key: string, value: JsonValue): void {
    this.#values ??= bareObject<JsonValue>()
    this.#values[key] = value
  }

  get values(): JsonObject {
    return this.#values ?? EMPTY
  }
}

/** Enters the `KeyValue` at hand and adds it. */
export function readKeyValue(reader: ProtobufReader, into: AttributeMap, depth = 0): void {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let key = ''
  let value: JsonValue = null
  while (reader.next()) {
    if (reader.field === 1) {
      reader.expect(LENGTH)
      key = reader.text()
    } else if (reader.field === 2) value = readAnyValue(reader, depth)
    else reader.skip()
  }
  reader.leave(outer)
  into.set(key, value)
}

/** Enters the `AnyValue` at hand: bytes become base64, an unset value null. */
export function readAnyValue(reader: ProtobufReader, depth = 0): JsonValue {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let value: JsonValue = null
  while (reader.next()) value = readVariant(reader, value, depth)
  reader.leave(outer)
  return value
}

function readVariant(reader: ProtobufReader, before: JsonValue, depth: number): JsonValue {
  switch (reader.field) {
    case 1:
      reader.expect(LENGTH)
      return reader.text()
    case 2:
      reader.expect(VARINT)
      return reader.uint32() !== 0
    case 3:
      reader.expect(VARINT)
      return jsonInteger(reader.integer())
    case 4:
      reader.expect(FIXED64)
      return jsonDouble(reader.double())
    case 5:
      return depth < MAX_DEPTH ? readArray(reader, depth + 1) : skipped(reader)
    case 6:
      return depth < MAX_DEPTH ? readKeyValueList(reader, depth + 1) : skipped(reader)
    case 7:
      reader.expect(LENGTH)
      return reader.raw().toString('base64')
    default:
      reader.skip()
      return before
  }
}

function skipped(reader: ProtobufReader): null {
  reader.skip()
  return null
}

function readArray(reader: ProtobufReader, depth: number): readonly JsonValue[] {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const values: JsonValue[] = []
  while (reader.next()) {
    if (reader.field === 1) values.push(readAnyValue(reader, depth))
    else reader.skip()
  }
  reader.leave(outer)
  return values
}

function readKeyValueList(reader: ProtobufReader, depth: number): JsonObject {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const map = new AttributeMap()
  while (reader.next()) {
    if (reader.field === 1) readKeyValue(reader, map, depth)
    else reader.skip()
  }
  reader.leave(outer)
  return map.values
}

/** Enters the `Resource` at hand; one that comes in two parts is merged, as protobuf wants it. */
export function readResource(reader: ProtobufReader, map: AttributeMap): void {
  reader.expect(LENGTH)
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 1) readKeyValue(reader, map)
    else reader.skip()
  }
  reader.leave(outer)
}

/** The scope of records that state none. */
export function unnamedScope(resource: OtlpResource): OtlpScope {
  return { resource, name: '', version: '', attributes: EMPTY }
}

/** Enters the `InstrumentationScope` at hand. */
export function readScope(reader: ProtobufReader, resource: OtlpResource): OtlpScope {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const map = new AttributeMap()
  let name = ''
  let version = ''
  while (reader.next()) {
    if (reader.field === 1) name = stringField(reader)
    else if (reader.field === 2) version = stringField(reader)
    else if (reader.field === 3) readKeyValue(reader, map)
    else reader.skip()
  }
  reader.leave(outer)
  return { resource, name, version, attributes: map.values }
}

/** A string field. */
export function stringField(reader: ProtobufReader): string {
  reader.expect(LENGTH)
  return reader.text()
}

/** A bytes field that holds an id: hex in lower case. */
export function idField(reader: ProtobufReader): string {
  reader.expect(LENGTH)
  return reader.hex()
}

/** A fixed64 time, Unix nanoseconds. */
export function timeField(reader: ProtobufReader): bigint {
  reader.expect(FIXED64)
  return reader.fixed64()
}

/** A double field. */
export function doubleField(reader: ProtobufReader): number {
  reader.expect(FIXED64)
  return reader.double()
}

/** A fixed64 count: exact up to 2^53. */
export function countField(reader: ProtobufReader): number {
  reader.expect(FIXED64)
  return reader.count64()
}

/** A fixed32 field: flags. */
export function fixed32Field(reader: ProtobufReader): number {
  reader.expect(FIXED32)
  return reader.fixed32()
}

/** A uint32 or enum field. */
export function uint32Field(reader: ProtobufReader): number {
  reader.expect(VARINT)
  return reader.uint32()
}
