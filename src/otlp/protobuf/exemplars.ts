import { FIXED64, LENGTH, type ProtobufReader } from '../../wire/protobuf/reader.js'
import type { OtlpExemplar } from '../model.js'
import { AttributeMap, doubleField, idField, readKeyValue, timeField } from './common.js'

/** An `Exemplar` of a data point. */
export function readOtlpExemplar(reader: ProtobufReader): OtlpExemplar {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const attributes = new AttributeMap()
  let [timeNs, value, traceId, spanId] = [0n, 0, '', '']
  while (reader.next()) {
    if (reader.field === 7) readKeyValue(reader, attributes)
    else if (reader.field === 2) timeNs = timeField(reader)
    else if (reader.field === 3) value = doubleField(reader)
    else if (reader.field === 4) spanId = idField(reader)
    else if (reader.field === 5) traceId = idField(reader)
    else if (reader.field === 6) {
      reader.expect(FIXED64)
      value = Number(reader.sfixed64())
    } else reader.skip()
  }
  reader.leave(outer)
  return { attributes: attributes.values, timeNs, value, traceId, spanId }
}
