import type { StoredFields } from '../../src/domain/records/field.js'
import { type LogRecord, storedLog } from '../../src/domain/records/log.js'

const NOTHING: StoredFields = {
  id: () => '' as ReturnType<StoredFields['id']>,
  timestampNs: () => 0n,
  text: () => null,
  string: ({ otherwise }) => otherwise,
  number: () => null,
  flag: () => false,
  object: () => ({})
}

const { id: _id, ingestedAtMs: _at, ...members } = storedLog(NOTHING)

/** A log with nothing in it: whatever fields logs have, fixtures name those that they are about. */
export const EMPTY_LOG: LogRecord = { index: 0, ...members }
