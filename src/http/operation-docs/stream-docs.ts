import { LIST_FACTS } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const STREAM = {
  id: 'orders-h1-0001',
  host_id: 'b1946ac92492d2347c6235b4d2611184',
  host: 'web-1',
  path: '/var/log/orders.log',
  kind: 'file',
  service: 'orders',
  state: 'open',
  end: null,
  from: 0,
  to: 14,
  first_line: 1,
  last_line: 2,
  lines: 2,
  stored: 2,
  rejected: 0,
  next_seq: 2,
  head: null,
  anchor: null,
  lag_bytes: 0,
  first_at: '2026-11-20T11:40:00.000Z',
  last_at: '2026-11-20T11:40:00.000Z',
  complete: true,
  gap_count: 0,
  gaps: []
}

/** Log streams. */
export const STREAM_DOCS: OperationDocs = {
  listStreams: {
    summary: 'List log streams',
    description:
      'Which files arrived, up to where, and their gaps. Without a window: all streams within the retention of logs. The list has the first 10 gaps of each stream.',
    reply: { streams: [STREAM], ...LIST_FACTS, total: null }
  },
  proveStream: {
    summary: 'Prove that a log stream is complete',
    description:
      'Whether lines of a stream are missing, in a window of event times or as a whole. Runs that the window touches are counted whole; a gap concerns the window if its lines can be of that time. `recount` counts the records in the log store.',
    reply: {
      stream: STREAM,
      complete: true,
      sentence:
        'No line of /var/log/orders.log on web-1 is missing between 2026-11-20T11:39:00.000Z and 2026-11-20T11:40:00.000Z: 2 lines, 14 bytes.',
      covered: { start: '2026-11-20T11:39:00.000Z', end: '2026-11-20T11:40:00.000Z' },
      lines: { first: 1, last: 2, expected: 2, arrived: 2, stored: 2, recounted: null },
      bytes: 14,
      gaps: [],
      warnings: [],
      stats: { took_ms: 4.2 }
    }
  }
}
