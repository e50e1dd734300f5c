import { GatewayError } from '../src/domain/errors.js'
import type { PageInfoType } from '../schema/shared.type.js'

/** Entries of one page of a list that is not telemetry (members, audit, metric names). */
const MAX_PAGE = 500

/** The checked `first` of such a list. */
export function pageSize(first: number | null | undefined, fallback: number): number {
  const size = first ?? fallback
  if (size >= 0 && size <= MAX_PAGE) return size
  throw new GatewayError('invalid_field', `first must be between 0 and ${MAX_PAGE}`, { field: 'first' })
}

/** A connection over nodes, without anything that only some connections have. */
export interface SimpleConnection<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[]
  readonly nodes: readonly Node[]
  readonly pageInfo: PageInfoType
}

/** A page as a connection; the cursor of a node is an id that the node has anyway. */
export function toConnection<Node>(
  nodes: readonly Node[],
  page: { readonly hasMore: boolean; readonly after: string | null | undefined },
  cursorOf: (node: Node) => string
): SimpleConnection<Node> {
  const edges = nodes.map(node => ({ cursor: cursorOf(node), node }))
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: page.hasMore,
      hasPreviousPage: page.after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null
    }
  }
}

/** Cuts a page out of a whole list. `invalid_field` for a cursor that is not in it. */
export function cutPage<Node>(
  all: readonly Node[],
  args: { readonly first: number; readonly after?: string | null | undefined },
  cursorOf: (node: Node) => string
): SimpleConnection<Node> {
  const start = args.after == null ? 0 : all.findIndex(node => cursorOf(node) === args.after) + 1
  if (args.after != null && start === 0)
    throw new GatewayError('invalid_field', 'after is not a cursor of this list', { field: 'after' })
  const end = start + pageSize(args.first, MAX_PAGE)
  return toConnection(all.slice(start, end), { hasMore: end < all.length, after: args.after }, cursorOf)
}
