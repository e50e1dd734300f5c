/** Places of services in a map: callers on the left, callees on the right. Pure. */

import { grouped } from './grouped.js'

/** A call between two nodes. */
export interface MapCall {
  readonly source: string
  readonly target: string
}

/** Column and row of a node, from 0. */
export interface MapPlace {
  readonly column: number
  readonly row: number
}

/**
 * Columns by the distance from the nodes without callers; a cycle starts at its first node. Rows in the order of the nodes.
 */
export function mapPlaces(ids: readonly string[], calls: readonly MapCall[]): ReadonlyMap<string, MapPlace> {
  const callees = grouped(
    calls.filter(({ source, target }) => source !== target),
    ({ source }) => source
  )
  const called = new Set(calls.filter(({ source, target }) => source !== target).map(({ target }) => target))
  const columns = new Map<string, number>()
  const visit = (start: string): void => {
    if (columns.has(start)) return
    columns.set(start, 0)
    const queue = [start]
    for (let source = queue.shift(); source !== undefined; source = queue.shift())
      for (const { target } of callees.get(source) ?? []) {
        if (columns.has(target)) continue
        columns.set(target, columns.get(source)! + 1)
        queue.push(target)
      }
  }
  for (const id of ids) if (!called.has(id)) visit(id)
  for (const id of ids) visit(id)
  const rows = new Map<number, number>()
  return new Map(
    ids.map(id => {
      const column = columns.get(id)!
      const row = rows.get(column) ?? 0
      rows.set(column, row + 1)
      return [id, { column, row }] as const
    })
  )
}
