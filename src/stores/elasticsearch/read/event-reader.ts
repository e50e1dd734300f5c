import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { EventKind, EventStore } from '../../../ports/event-store.js'
import { readErrorGroups } from './error-groups.js'
import { readPageViews } from './page-views.js'
import { APM_ERRORS, RUM_EVENTS } from '../document/record-kinds.js'
import type { SearchContext } from './pages.js'
import { Scopes, type ReaderDeps } from './scopes.js'
import { searchRecords } from './search.js'
import { readVitals } from './vitals.js'

type Reading = 'searchRum' | 'searchErrors' | 'vitals' | 'pageViews' | 'errorGroups' | 'getRum' | 'getError'

/** The reading half of `EventStore` on Elasticsearch and OpenSearch. */
export function eventReader(deps: ReaderDeps): Pick<EventStore, Reading> {
  const scopes = new Scopes(deps)
  const open = (
    ns: NamespaceId,
    kind: EventKind,
    { range }: { readonly range: TimeRange },
    signal: AbortSignal
  ): Promise<SearchContext> => scopes.open({ ns, kind, range, signal })
  return {
    searchRum: async (ns, request, signal) => searchRecords(await open(ns, 'rum', request, signal), RUM_EVENTS, request),
    searchErrors: async (ns, request, signal) => searchRecords(await open(ns, 'errors', request, signal), APM_ERRORS, request),
    vitals: async (ns, request, signal) => readVitals(await open(ns, 'rum', request, signal), request),
    pageViews: async (ns, request, signal) => readPageViews(await open(ns, 'rum', request, signal), request),
    errorGroups: async (ns, request, signal) => readErrorGroups(await open(ns, 'errors', request, signal), request),
    getRum: (ns, id) => scopes.get({ ns, id }, RUM_EVENTS),
    getError: (ns, id) => scopes.get({ ns, id }, APM_ERRORS)
  }
}
