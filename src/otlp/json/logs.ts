import type { OtlpLog } from '../model.js'
import type { DecodeSteps } from '../steps.js'
import { readJsonGroups } from './groups.js'
import { anyValue, attributesIn, idIn, integerIn, member, messageIn, stringIn, timeIn } from './values.js'

/** The records of an `ExportLogsServiceRequest` in JSON, read in steps. Throws `MalformedOtlp`, `TooManyRecords`. */
export function decodeJsonLogs(body: Buffer, maxRecords: number): DecodeSteps<OtlpLog> {
  const names = { resources: 'resourceLogs', scopes: 'scopeLogs', records: 'logRecords' } as const
  return readJsonGroups<OtlpLog>(body, maxRecords, names, (record, scope, into) => {
    into.push({
      scope,
      timeNs: timeIn(record, 'timeUnixNano'),
      observedTimeNs: timeIn(record, 'observedTimeUnixNano'),
      severityNumber: integerIn(record, 'severityNumber'),
      severityText: stringIn(record, 'severityText'),
      body: anyValue(messageIn(record, 'body')),
      attributes: attributesIn(record, 'attributes'),
      traceId: idIn(record, 'traceId'),
      spanId: idIn(record, 'spanId'),
      flags: member(record, 'flags') === undefined ? null : integerIn(record, 'flags'),
      eventName: stringIn(record, 'eventName')
    })
  })
}
