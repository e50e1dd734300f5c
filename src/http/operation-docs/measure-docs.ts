import type { OperationDocs } from './operation-doc.js'

const MEASURE = {
  name: 'order_amount',
  description: 'Amount of orders',
  signal: 'logs',
  query: 'service:orders',
  fn: 'histogram',
  field: 'amount',
  group_by: ['region'],
  step: '1m',
  bounds: [10, 100, 1000]
}
const STORED = {
  ...MEASURE,
  metrics: ['order_amount_bucket', 'order_amount_sum', 'order_amount_count'],
  created_by: 'a1f0a2a4-52c4-4d56-8a3c-0f2f5f3f7b10',
  created_at: '2026-11-24T10:00:12.000Z',
  counted_until: '2026-11-24T10:00:00.000Z',
  settled_until: '2026-11-24T10:00:00.000Z',
  backfill: null,
  error: null,
  incomplete: null
}
const BACKFILL = {
  from: '2026-11-17T10:00:00.000Z',
  done_until: '2026-11-17T10:00:00.000Z',
  until: '2026-11-24T10:00:00.000Z',
  state: 'running'
}

/** Operations about saved measures. */
export const MEASURE_DOCS: OperationDocs = {
  listMeasures: {
    summary: 'List saved measures',
    description:
      'Measures over fields of logs or spans that become metrics, by name, with how far they are computed; at most 50.',
    reply: { measures: [STORED] }
  },
  createMeasure: {
    summary: 'Save a measure as a metric',
    description:
      'From the present step on, the measure has samples in PromQL under its name, one per step and group, 10 s after the end of the step. Steps are computed again after an hour and after a day, for records that came late. Members only.',
    request: MEASURE,
    reply: STORED
  },
  deleteMeasure: {
    summary: 'Delete a saved measure',
    description: 'Ends the measure. Samples that it has written stay as long as metrics are kept. Members only.',
    reply: { deleted: MEASURE.name }
  },
  backfillMeasure: {
    summary: 'Compute a saved measure over the past',
    description:
      'Computes the steps of a range out of the stored records, in the background; samples that exist are replaced. One backfill of a measure at a time. Members only.',
    request: { start: '2026-11-17T10:00:00Z' },
    reply: { ...STORED, backfill: BACKFILL }
  }
}
