import { MEASURE_FUNCTIONS } from '../../query/aggregate/aggregate-query.js'
import {
  COUNT,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  objectWith,
  optional,
  requiring,
  TEXT
} from '../json-schema.js'
import {
  FIELD_FILTERS,
  INSTANT,
  listSchema,
  NAMESPACE_QUERY,
  QUERY_TEXT,
  READ_HEADERS,
  READ_SECURITY,
  TOTAL
} from '../read-schemas.js'

const VALUE = objectWith(['ref', 'value'], {
  ref: { ...TEXT, description: 'Name of the measure.' },
  value: { ...NULLABLE_NUMBER, description: 'Over the whole window; null if nothing has a number.' },
  values: list(NULLABLE_NUMBER, { description: 'One per bucket of `grid`; absent without step and buckets.' })
})

const OTHER = object({ measures: list(VALUE) })

/** `POST /api/v1/aggregate`. */
export const AGGREGATE = {
  ...{ tags: ['logs', 'traces'], security: READ_SECURITY, headers: READ_HEADERS },
  operationId: 'aggregateRecords',
  querystring: NAMESPACE_QUERY,
  body: optional({
    namespace: TEXT,
    signal: { type: 'string', enum: ['logs', 'spans'], description: 'Default logs.' } as const,
    start: INSTANT,
    end: INSTANT,
    query: { ...QUERY_TEXT, description: 'Search language of the signal.' },
    filters: FIELD_FILTERS,
    measures: list(
      requiring(['fn'], {
        fn: { type: 'string', enum: MEASURE_FUNCTIONS, description: 'All but count and rate require a field.' } as const,
        field: { ...TEXT, description: 'A numeric field; of count, rate and count_distinct any field.' },
        ref: { ...TEXT, description: 'Name in the response and in order_by; default `p95(duration)`.' }
      }),
      { maxItems: 8, description: 'Default: the number of rows.' }
    ),
    group_by: list(TEXT, { maxItems: 3, description: 'Fields; a row with several values counts in the group of each.' }),
    step: { ...TEXT, description: 'Length of a bucket of time, such as `1m`: values over time in addition.' },
    buckets: { ...COUNT, description: 'About so many buckets of time, at most 1,000; instead of step.' },
    limit: { ...COUNT, description: 'Groups; default 20, maximum 100.' },
    order_by: { ...TEXT, description: 'The measure that groups are ranked by; default: the first.' },
    order: { type: 'string', enum: ['asc', 'desc'], description: 'Default desc; groups without a value last.' } as const,
    include_other: { ...FLAG, description: 'Also measure the rows that are in none of the listed groups.' },
    exact: { ...FLAG, description: 'Default true. False allows estimates within `relative_error`.' }
  }),
  response: {
    200: listSchema('Measures by group, best group first; one group of all rows without group_by.', {
      rows: list(object({ group: list(NULLABLE_TEXT), measures: list(VALUE) }), {
        description: '`group` has the values of group_by in its order, null for rows without the field.'
      }),
      other: objectOrNull(OTHER),
      groups: { ...TOTAL, description: 'Number of groups in all.' },
      grid: objectOrNull(
        object({
          start: { ...TEXT, description: 'Start of the first bucket, RFC 3339.' },
          step_s: { ...NUMBER, description: 'Length of a bucket in seconds.' },
          length: { ...COUNT, description: 'Number of buckets.' }
        })
      ),
      relative_error: { ...NUMBER, description: 'Upper bound of the relative error of estimates; 0: all values are exact.' }
    })
  }
}
