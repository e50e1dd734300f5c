import type { Filter } from '../../src/domain/filter.js'
import { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchRequest, SearchResult } from '../../src/domain/search.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'

/** A namespace of `LogRows`, which have no other. */
export const TAIL_NAMESPACE: Namespace = {
  id: 'nstailunittest' as NamespaceId,
  name: 'shop',
  kind: 'team',
  state: 'active',
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
}

/** Logs in memory; a record is searchable when it was added. */
export class LogRows {
  readonly all: StoredLog[] = []
  #sorted: readonly StoredLog[] = []
  failures = 0
  searches = 0

  async search(_ns: NamespaceId, { filter, rows, total }: SearchRequest): Promise<SearchResult<StoredLog>> {
    this.searches++
    if (this.failures > 0) {
      this.failures--
      throw new GatewayError('store_unavailable', 'the store does not respond')
    }
    const { gte = '', lt = '~' } = arrivalOf(filter)
    if (this.#sorted.length !== this.all.length) this.#sorted = this.all.toSorted(compare)
    const found = this.#sorted.filter(({ id }) => id >= gte && id < lt)
    const after = rows?.after
    const rest = after ? found.filter(row => compare(row, { ...row, ...after }) > 0) : found
    return {
      complete: true,
      warnings: [],
      ...(rows && { rows: rest.slice(0, rows.limit), hasMore: rest.length > rows.limit }),
      ...(total && { total: { value: found.length, relation: 'eq' } })
    }
  }
}

function compare(a: StoredLog, b: StoredLog): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

function arrivalOf(filter: Filter): { gte?: string; lt?: string } {
  const parts = filter.kind === 'and' ? filter.of : [filter]
  return parts.find(part => part.kind === 'range' && part.field.name === 'ingest_id') as { gte?: string; lt?: string }
}
