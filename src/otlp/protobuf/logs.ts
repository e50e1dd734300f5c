import type { JsonValue } from '../../domain/json.js'
import type { OtlpLog, OtlpScope } from '../model.js'
import { AttributeMap, fixed32Field, idField, readAnyValue, readKeyValue, stringField, timeField, uint32Field } from './common.js'
import type { DecodeSteps } from '../steps.js'
import { readGroups } from './groups.js'
import type { ProtobufReader } from '../../wire/protobuf/reader.js'

/** The records of an `ExportLogsServiceRequest`, read in steps. Throws `MalformedProtobuf`, `TooManyRecords`. */
export function decodeLogs(body: Buffer, maxRecords: number): DecodeSteps<OtlpLog> {
  return readGroups(body, maxRecords, readLog)
}

// opentelemetry/proto/logs/v1/logs.proto, message LogRecord.
function readLog(reader: ProtobufReader, scope: OtlpScope, into: OtlpLog[]): void {
  const attributes = new AttributeMap()
  let timeNs = 0n
  let observedTimeNs = 0n
  let severityNumber = 0
  let severityText = ''
  let body: JsonValue = null
  let [traceId, spanId] = ['', '']
  let flags: number | null = null
  let eventName = ''
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        timeNs = timeField(reader)
        break
      case 11:
        observedTimeNs = timeField(reader)
        break
      case 2:
        severityNumber = uint32Field(reader)
        break
      case 3:
        severityText = stringField(reader)
        break
      case 5:
        body = readAnyValue(reader)
        break
      case 6:
        readKeyValue(reader, attributes)
        break
      case 8:
        flags = fixed32Field(reader)
        break
      case 9:
        traceId = idField(reader)
        break
      case 10:
        spanId = idField(reader)
        break
      case 12:
        eventName = stringField(reader)
        break
      default:
        reader.skip()
    }
  }
  into.push({
    scope,
    timeNs,
    observedTimeNs,
    severityNumber,
    severityText,
    body,
    attributes: attributes.values,
    traceId,
    spanId,
    flags,
    eventName
  })
}
