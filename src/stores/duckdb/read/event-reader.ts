import type { EventStore } from '../../../ports/event-store.js'
import type { Snapshots } from '../snapshot.js'
import { readErrorGroups } from './error-groups.js'
import { getRecord } from './get-record.js'
import { readPageViews } from './page-views.js'
import { inSnapshot, isHeavySearch } from './reading.js'
import { newSearchCells } from './search-cells.js'
import { searchRecords } from './search.js'
import { APM_ERRORS, RUM_EVENTS } from './stored-record.js'
import { readVitals } from './vitals.js'

/** What the store process reads of page timings and errors. */
export type EventReader = Pick<
  EventStore,
  'searchRum' | 'searchErrors' | 'vitals' | 'pageViews' | 'errorGroups' | 'getRum' | 'getError'
>

/** The reading half of `EventStore` on DuckDB. */
export function eventReader(snapshots: Snapshots, cells = newSearchCells()): EventReader {
  return {
    searchRum: (ns, request, signal) => {
      const options = { kind: 'rum', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
      return inSnapshot(snapshots, options, scope => searchRecords(scope, RUM_EVENTS, request, cells))
    },
    searchErrors: (ns, request, signal) => {
      const options = { kind: 'errors', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
      return inSnapshot(snapshots, options, scope => searchRecords(scope, APM_ERRORS, request, cells))
    },
    vitals: (ns, request, signal) => {
      const options = { kind: 'rum', ns, range: request.range, heavy: true, signal } as const
      return inSnapshot(snapshots, options, scope => readVitals(scope, request))
    },
    pageViews: (ns, request, signal) => {
      const options = { kind: 'rum', ns, range: request.range, heavy: true, signal } as const
      return inSnapshot(snapshots, options, scope => readPageViews(scope, request))
    },
    errorGroups: (ns, request, signal) => {
      const options = { kind: 'errors', ns, range: request.range, heavy: true, signal } as const
      return inSnapshot(snapshots, options, scope => readErrorGroups(scope, request))
    },
    getRum: (ns, id) => getRecord(snapshots, 'rum', RUM_EVENTS, { ns, id }),
    getError: (ns, id) => getRecord(snapshots, 'errors', APM_ERRORS, { ns, id })
  }
}
