import { expect, it } from '@jest/globals'
import type { LogRecord } from '../../../src/domain/records/log.js'
import { LOGS } from '../../../src/stores/elasticsearch/document/record-kinds.js'
import { recordId } from '../../../src/domain/ids.js'
import { toEntry, decodeBatches, encodeFrame } from '../../../src/stores/spool/spool-frames.js'
import { FRAME_HEADER_BYTES } from '../../../src/stores/disk/checked-frames.js'
import { nextIngestId, NS, testLog } from '../../support/duckdb-fixture.js'

it('makes the same document of a record that an earlier version put into the spool without its empty members', () => {
  const ingestId = nextIngestId()
  const earlier = Object.fromEntries(Object.entries(testLog(0)).filter(([, value]) => value !== null))
  const facts = { number: 1, atMs: 0, signal: 'logs', ns: NS, records: 1 } as const
  const body = Buffer.concat(encodeFrame(facts, [toEntry({ ingestId, items: [earlier] })])).subarray(FRAME_HEADER_BYTES)
  const [batch] = decodeBatches(body)
  const document = (log: LogRecord): unknown => JSON.parse(LOGS.toDocument(NS, recordId(ingestId, 0), log, true))
  expect(document(batch!.items[0] as LogRecord)).toEqual(document(testLog(0)))
})
