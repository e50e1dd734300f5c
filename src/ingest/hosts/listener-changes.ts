import { createHash } from 'node:crypto'
import type { HostKey, HostListener, ReportedListener } from '../../domain/reported-host.js'

const ID_DIGITS = 32

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** The id of a listener: the same as long as the same process of a host listens there, whatever its pid. */
export function listenerId({ id, name }: HostKey, { protocol, address, port, process, container }: ReportedListener): string {
  return hashOf([id, name, protocol, address, port, process, container]).slice(0, ID_DIGITS)
}

/** Listeners of a report by id; of several that are the same the first counts. */
export function listenersById(key: HostKey, reported: readonly ReportedListener[]): ReadonlyMap<string, ReportedListener> {
  const byId = new Map<string, ReportedListener>()
  for (const listener of reported) {
    const id = listenerId(key, listener)
    if (!byId.has(id)) byId.set(id, listener)
  }
  return byId
}

/** Equal for equal listeners, in whatever order they are reported. */
export function sumOfListeners(byId: ReadonlyMap<string, ReportedListener>): string {
  return hashOf([...byId].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function valuesOf({ pid, exe, command, user, unit, service, serviceBasis }: ReportedListener): string {
  return JSON.stringify([pid, exe, command, user, unit, service, serviceBasis])
}

/** What a report changes: listeners that are new, open again, different, or closed since the one before. */
export function changedListeners(
  known: readonly HostListener[],
  reported: ReadonlyMap<string, ReportedListener>,
  { nowMs, lastSeenMs }: { readonly nowMs: number; readonly lastSeenMs: number }
): readonly HostListener[] {
  const before = new Map(known.map(listener => [listener.id, listener]))
  const changed: HostListener[] = []
  for (const [id, listener] of reported) {
    const earlier = before.get(id)
    if (earlier?.closedMs === null && valuesOf(earlier) === valuesOf(listener)) continue
    changed.push({ ...listener, id, firstSeenMs: earlier?.firstSeenMs ?? nowMs, changedMs: nowMs, closedMs: null })
  }
  const closed = known.filter(({ id, closedMs }) => closedMs === null && !reported.has(id))
  return [...changed, ...closed.map(listener => ({ ...listener, changedMs: nowMs, closedMs: lastSeenMs }))]
}

/** Ids of closed listeners beyond the latest `most`. */
export function outdatedListeners(
  known: readonly HostListener[],
  changed: readonly HostListener[],
  most: number
): readonly string[] {
  const all = new Map([...known, ...changed].map(listener => [listener.id, listener]))
  const closed = [...all.values()].filter(({ closedMs }) => closedMs !== null)
  return closed
    .sort((a, b) => b.closedMs! - a.closedMs! || (a.id < b.id ? -1 : 1))
    .slice(most)
    .map(({ id }) => id)
}
