import type { Filter } from '../../../domain/filter.js'
import { flatten } from '../../../domain/flatten.js'
import type { FieldSummary } from '../../../domain/search.js'
import { FieldSummaries } from '../../shared/field-summary.js'
import { objectOf, type DocumentSource } from '../document/document-reader.js'
import { FREE_OBJECTS, type DocumentKind } from '../document/field-names.js'
import { neededMembers } from './decide.js'
import { deciderOf } from './decider.js'
import { MAX_PAGE, readPages, type SearchContext } from './pages.js'

/** Which fields to summarize; see `LogStore.fields`. */
export interface FieldNamesRequest {
  readonly filter: Filter
  readonly limit: number
  readonly sampleRows: number
}

async function newest(
  context: SearchContext,
  kind: DocumentKind,
  filter: Filter,
  requested: number
): Promise<readonly DocumentSource[]> {
  const { query, matches } = deciderOf(context, kind, filter)
  const { log_fields: fields, tags } = FREE_OBJECTS[kind]
  const members = [...new Set([...neededMembers([filter], kind), fields, tags])]
  const size = Math.min(requested, MAX_PAGE)
  const found: DocumentSource[] = []
  for await (const page of readPages(context, { query, order: 'desc', size, after: undefined, members })) {
    found.push(...(matches ? page.filter(matches) : page))
    if (found.length >= requested) break
  }
  return found.slice(0, requested)
}

/** The free fields of the newest matching records. */
export async function readFields(
  context: SearchContext,
  kind: DocumentKind,
  { filter, limit, sampleRows }: FieldNamesRequest
): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
  const sources = await newest(context, kind, filter, sampleRows + 1)
  const names = FREE_OBJECTS[kind]
  const summaries = new FieldSummaries()
  for (const source of sources.slice(0, sampleRows)) {
    summaries.add('log_fields', flatten(objectOf(source, names.log_fields)))
    summaries.add('tags', flatten(objectOf(source, names.tags)))
  }
  return { fields: summaries.top(limit), sampled: sources.length > sampleRows }
}
