import fc from 'fast-check'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchRequest, SearchResult } from '../../src/domain/search.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { toLog } from '../contract/log-fixtures.js'
import { NEVER, newIngestId } from '../contract/fresh-ids.js'
import { requireAlike } from './agreement.js'
import { request, sketch } from './log-queries.js'
import type { Fill } from './two-stores.js'

const MAX_PAGES = 4

/** Stores the same random logs in all of the stores. */
export const fillLogs: Fill = async (stores, ns, { batches, seed }) => {
  for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 25 }), { numRuns: batches, seed })) {
    const batch = { ingestId: newIngestId(), items: sketches.map(toLog) }
    for (const { logs } of stores) await logs.append(ns, batch)
  }
  for (const { logs } of stores) await logs.settle(ns)
}

/** The whole result: the first page with all that was requested, then the rows of those behind it. */
async function response(store: LogStore, ns: NamespaceId, request: SearchRequest): Promise<readonly SearchResult<StoredLog>[]> {
  const pages = [await store.search(ns, request, NEVER)]
  const { rows, range, filter } = request
  if (!rows) return pages
  while (pages.at(-1)!.hasMore && pages.at(-1)!.rows!.length > 0 && pages.length < MAX_PAGES) {
    const { timestampNs, id } = pages.at(-1)!.rows!.at(-1)!
    pages.push(await store.search(ns, { range, filter, rows: { ...rows, after: { timestampNs, id } } }, NEVER))
  }
  return pages
}

/** Puts random queries to two stores with the same logs; throws at the first response that differs. */
export async function compareResults(
  [one, other]: readonly [LogStore, LogStore],
  ns: NamespaceId,
  { queries, seed }: { readonly queries: number; readonly seed: number }
): Promise<void> {
  const agree = async (request: SearchRequest) => {
    const [a, b] = await Promise.all([response(one, ns, request), response(other, ns, request)])
    requireAlike(a, b)
  }
  await fc.assert(fc.asyncProperty(request, agree), { numRuns: queries, seed })
}
