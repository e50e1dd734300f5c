import type { Cut } from '../../domain/warning.js'

/** States that a histogram has only the `limit` most frequent values of its field. */
export function histogramCut(limit: number): Cut {
  return {
    kind: 'cap',
    detail: `the histogram has only the ${limit} most frequent values of its field`,
    remedy: 'Add a condition on the field, or group by a field with fewer values.',
    limit
  }
}
