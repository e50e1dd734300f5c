import type { FlatObject } from '../../../domain/json.js'
import type { FieldSummary } from '../../../domain/search.js'
import { FieldSummaries } from '../../shared/field-summary.js'
import type { ResultRow } from './statement.js'

/** Columns of a log that hold free fields, and what a field in them is called. */
const COLUMNS = [
  ['fields_json', 'log_fields'],
  ['tags_json', 'tags']
] as const

/** Which of the free fields the rows carry, most frequent first (ties by name). */
export function summarizeFields(rows: readonly ResultRow[], limit: number): readonly FieldSummary[] {
  const summaries = new FieldSummaries()
  for (const row of rows) {
    for (const [column, place] of COLUMNS) {
      const text = row[column] as string | null
      if (text !== null) summaries.add(place, JSON.parse(text) as FlatObject)
    }
  }
  return summaries.top(limit)
}
