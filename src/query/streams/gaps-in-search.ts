import { type Filter, valuesOfCondition } from '../../domain/filter.js'
import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { LostLines } from '../../domain/log-stream.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Cut } from '../../domain/warning.js'
import type { LostLinesRequest, StreamLedger } from '../../ports/stream-ledger.js'
import { causesOf, streamName } from './stream-proof.js'

/** Gaps of log streams that concern a search. */
export interface SearchGaps {
  readonly gaps: readonly LostLines[]
  /** One for each of the first streams, and one for the others. */
  readonly cuts: readonly Cut[]
}

/** Gaps that a result has. */
export const MAX_SEARCH_GAPS = 100
/** Streams that have a warning of their own. */
const NAMED_STREAMS = 3
/** Hosts, services or paths; a search over more is one over all. */
const MAX_VALUES = 100
const NS_PER_MS = 1_000_000n
const REMEDY = 'The proof of the log stream (GET /api/v1/streams/{id}/proof) states what arrived.'

const NONE: SearchGaps = { gaps: [], cuts: [] }

type Scope = Pick<LostLinesRequest, 'ids' | 'hosts' | 'paths' | 'services'>

/** Member of the scope that a condition on a field decides. */
function memberOf({ in: place, name }: Extract<Filter, { kind: 'eq' }>['field']): keyof Scope | null {
  if (place === 'known') return name === 'host' ? 'hosts' : name === 'service' ? 'services' : null
  if (place !== 'tags' && place !== 'free') return null
  return name === 'log.file.path' ? 'paths' : name === 'log.stream.id' ? 'ids' : null
}

/** Hosts, services and paths to which a filter confines a search; null where it is confined to none of them. */
function scopeOf(filter: Filter): Scope | null {
  const scope: { -readonly [Name in keyof Scope]: Scope[Name] } = {}
  for (const one of filter.kind === 'and' ? filter.of : [filter]) {
    if (one.kind !== 'eq' && one.kind !== 'in') continue
    const member = memberOf(one.field)
    const values = valuesOfCondition(one)
    if (member !== null && values.length <= MAX_VALUES) scope[member] ??= values
  }
  return Object.keys(scope).length === 0 ? null : scope
}

function rangeOf(lost: readonly LostLines[]): NonNullable<Cut['range']> {
  const minMs = lost.reduce((least, { times }) => Math.min(least, times.minMs), Number.POSITIVE_INFINITY)
  const maxMs = lost.reduce((most, { times }) => Math.max(most, times.maxMs), 0)
  return { startNs: BigInt(minMs) * NS_PER_MS, endNs: (BigInt(maxMs) + 1n) * NS_PER_MS }
}

function cutOf(name: string, lost: readonly LostLines[]): Cut {
  const detail = `of ${name}, lines are missing: ${causesOf(lost.map(({ gap }) => gap))}`
  return { kind: 'gap', detail, remedy: REMEDY, range: rangeOf(lost) }
}

function cutsOf(gaps: readonly LostLines[], hasMore: boolean): readonly Cut[] {
  const streams = [...groupedBy(gaps, ({ streamId }) => streamId).values()]
  const named = streams.slice(0, NAMED_STREAMS).map(lost => cutOf(streamName({ ...lost[0]!, id: lost[0]!.streamId }), lost))
  const others = streams.slice(NAMED_STREAMS)
  if (others.length === 0) return named
  const count = `${hasMore ? 'at least ' : ''}${others.length} more log ${others.length === 1 ? 'stream' : 'streams'}`
  return [...named, cutOf(count, others.flat())]
}

/** Lines of log streams that a search over a host, a service or a path cannot find, since they did not arrive. */
export async function gapsInSearch(
  streams: Pick<StreamLedger, 'lost'>,
  ns: NamespaceId,
  { filter, range }: { readonly filter: Filter; readonly range: TimeRange }
): Promise<SearchGaps> {
  const scope = scopeOf(filter)
  if (scope === null || range.endNs <= range.startNs) return NONE
  // Lines of a file that has no service of its own may be of any; without a host or a path that would be every file.
  const anyService = scope.hosts !== undefined || scope.paths !== undefined || scope.ids !== undefined
  const window = { sinceMs: Number(range.startNs / NS_PER_MS), untilMs: Number((range.endNs + NS_PER_MS - 1n) / NS_PER_MS) }
  const found = await streams.lost(ns, { ...scope, ...window, anyService, limit: MAX_SEARCH_GAPS + 1 })
  const gaps = found.slice(0, MAX_SEARCH_GAPS)
  return { gaps, cuts: cutsOf(gaps, found.length > gaps.length) }
}
