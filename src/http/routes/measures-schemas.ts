import { MAX_BOUNDS, STEPS_MS } from '../../alerting/measures/parse-measure.js'
import { formatDurationMs } from '../../domain/duration.js'
import { SAVED_FUNCTIONS } from '../../domain/saved-measure.js'
import {
  described,
  list,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  optional,
  requiring,
  type Static,
  TEXT
} from '../json-schema.js'
import { INSTANT, WINDOW_QUERY } from '../read-schemas.js'
import { READ } from './alerts-schemas.js'

const COMMON = { ...READ, tags: ['metrics'] }
const WRITE = { ...COMMON, security: [{ session: [] }] }
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
const NAME = object({ name: TEXT })

const FN = { type: 'string', enum: SAVED_FUNCTIONS } as const
const SIGNAL = { type: 'string', enum: ['logs', 'spans'] } as const
const STEPS = STEPS_MS.map(formatDurationMs)

const BACKFILL = objectOrNull(
  object({
    from: { ...TEXT, description: 'Start of its first step.' },
    done_until: { ...TEXT, description: 'Steps before are computed.' },
    until: { ...TEXT, description: 'End of its last step.' },
    state: { type: 'string', enum: ['running', 'done'] } as const
  })
)
const INCOMPLETE = objectOrNull(object({ at: TEXT, detail: { ...TEXT, description: 'What the samples lack.' } }))

const MEASURE = object({
  name: { ...TEXT, description: 'Name of the metric.' },
  description: { ...TEXT, description: 'Help of the metric; empty without one.' },
  metrics: list(TEXT, { description: 'Metrics that it writes: those of `avg` and `histogram` have suffixes.' }),
  signal: SIGNAL,
  query: { ...TEXT, description: 'Search language of the signal; empty for all records.' },
  fn: FN,
  field: NULLABLE_TEXT,
  group_by: list(TEXT),
  step: TEXT,
  bounds: list(NUMBER, { description: 'Upper bounds of the buckets of a histogram.' }),
  created_by: TEXT,
  created_at: TEXT,
  counted_until: { ...TEXT, description: 'Steps before have samples.' },
  settled_until: { ...TEXT, description: 'Steps before are not computed again: later records are counted by a backfill.' },
  backfill: BACKFILL,
  error: { ...NULLABLE_TEXT, description: 'Why the next steps could not be computed yet; they are repeated.' },
  incomplete: INCOMPLETE
})
/** A saved measure in a response. */
export type MeasureReply = Static<typeof MEASURE>

/** `GET /api/v1/measures`. */
export const LIST_MEASURES = {
  ...COMMON,
  operationId: 'listMeasures',
  querystring: NAMESPACE,
  response: { 200: described('Saved measures by name.', object({ measures: list(MEASURE) })) }
}

/** `POST /api/v1/measures`. */
export const CREATE_MEASURE = {
  ...WRITE,
  operationId: 'createMeasure',
  querystring: NAMESPACE,
  body: requiring(['name', 'fn'], {
    name: { ...TEXT, description: 'Name of the metric, at most 100 characters.' },
    description: { ...TEXT, description: 'Help of the metric, at most 500 characters.' },
    signal: { ...SIGNAL, description: 'Default logs.' },
    query: { ...TEXT, description: 'Search language of the signal; default: all records.' },
    fn: { ...FN, description: 'All but count require a field.' },
    field: { ...TEXT, description: 'A numeric field; of count any field.' },
    group_by: list(TEXT, { maxItems: 3, description: 'Fields that become labels.' }),
    step: { ...TEXT, description: `${STEPS.join(', ')}; default 1m.` },
    bounds: list(NUMBER, { maxItems: MAX_BOUNDS, description: 'Ascending upper bounds of the buckets of a histogram.' })
  }),
  response: { 200: described('The measure.', MEASURE) }
}

/** `DELETE /api/v1/measures/{name}`. */
export const DELETE_MEASURE = {
  ...WRITE,
  operationId: 'deleteMeasure',
  querystring: NAMESPACE,
  params: NAME,
  response: { 200: described('Deleted.', object({ deleted: TEXT })) }
}

/** `POST /api/v1/measures/{name}/backfill`. */
export const BACKFILL_MEASURE = {
  ...WRITE,
  operationId: 'backfillMeasure',
  querystring: NAMESPACE,
  params: NAME,
  body: requiring(['start'], { start: INSTANT, end: INSTANT }),
  response: { 200: described('The measure with its backfill.', MEASURE) }
}
