import type { RecordId } from '../../src/domain/ids.js'
import type { StoredSpan } from '../../src/domain/span.js'

/** A stored span; what a test does not name is empty. */
export function storedSpan(span: Partial<StoredSpan> & Pick<StoredSpan, 'spanId'>): StoredSpan {
  return {
    id: `01JD0000000000000000000000${span.spanId.slice(-7)}` as RecordId,
    ingestedAtMs: 0,
    traceId: '0000000000000000000000000000000a',
    parentSpanId: null,
    traceState: '',
    timestampNs: 0n,
    durationNs: 0n,
    name: 'operation',
    kind: 'internal',
    status: 'unset',
    statusMessage: null,
    service: 'service',
    host: null,
    scopeName: '',
    scopeVersion: '',
    flags: 1,
    attributes: {},
    resource: {},
    events: [],
    links: [],
    dropped: { attributes: 0, events: 0, links: 0 },
    ...span
  }
}

/** The id of the n-th span. */
export function spanIdOf(n: number): string {
  return (n + 1).toString(16).padStart(16, '0')
}
