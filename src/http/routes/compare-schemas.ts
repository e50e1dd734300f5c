import { COUNT, list, NULLABLE_TEXT, NUMBER, object, optional, requiring, TEXT } from '../json-schema.js'
import { FIELD_FILTERS, INSTANT, listSchema, NAMESPACE_QUERY, QUERY_TEXT, READ_HEADERS, READ_SECURITY } from '../read-schemas.js'

const SIDE = optional({
  start: INSTANT,
  end: INSTANT,
  query: { ...QUERY_TEXT, description: 'Search language of the signal.' },
  filters: FIELD_FILTERS
})

const FINDING = object({
  kind: { enum: ['field_value', 'measure', 'pattern', 'error_group', 'metric'], description: 'What differs.' } as const,
  name: { ...TEXT, description: 'Field; of a pattern its template, of an error group its type and message, of a metric PromQL.' },
  value: {
    ...NULLABLE_TEXT,
    description:
      'Value of the field, null for its presence; of a measure or metric the numbers that are counted; of a pattern its id, of an error group its fingerprint.'
  },
  base_count: { ...COUNT, description: 'Rows of the base with it; exact. Errors of an error group, points of a metric.' },
  base_total: {
    ...COUNT,
    description:
      'Rows of the base; of a measure those with a number, of a pattern those with one, of an error group rows and errors of the same services, of a metric its points.'
  },
  other_count: { ...COUNT, description: 'Rows of the other side with it; exact.' },
  other_total: { ...COUNT, description: 'As `base_total`, of the other side.' },
  effect: { ...NUMBER, description: 'Binary logarithm of the ratio of both shares: 1 is twice as much, -1 half as much.' },
  q: { ...NUMBER, description: 'p-value corrected for everything that was tested (Benjamini and Hochberg); at most 0.01.' },
  evidence: object({
    side: { enum: ['base', 'other'], description: 'Side with the larger share.' } as const,
    query: {
      ...TEXT,
      description:
        'Search that finds the rows, with the window and the filters of that side; of an error group a search for errors, of a metric PromQL.'
    }
  })
})

const SIDE_FACTS = object({ start: TEXT, end: TEXT, rows: { ...COUNT, description: 'Matching rows; exact.' } })

/** `POST /api/v1/compare`. */
export const COMPARE = {
  ...{ tags: ['logs', 'traces'], security: READ_SECURITY, headers: READ_HEADERS },
  operationId: 'compareRecords',
  querystring: NAMESPACE_QUERY,
  body: requiring(['base', 'other'], {
    namespace: TEXT,
    signal: { type: 'string', enum: ['logs', 'spans'], description: 'Default logs.' } as const,
    base: { ...SIDE, description: 'What is compared with, such as the hour before a deployment.' },
    other: { ...SIDE, description: 'The side that is compared with the base.' },
    limit: { ...COUNT, description: 'Findings; default 20, maximum 100.' }
  }),
  response: {
    200: listSchema('Significant differences, largest effect first; none when nothing differs significantly.', {
      findings: list(FINDING),
      tested: { ...COUNT, description: 'Values, measures and patterns that were tested.' },
      skipped: list(object({ field: TEXT, reason: TEXT }), { description: 'Fields that were not compared.' }),
      base: SIDE_FACTS,
      other: SIDE_FACTS
    })
  }
}
