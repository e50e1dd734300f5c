/** The layout of a service map: what the page sends to the worker, and what it receives. */

/** Size of a node in pixels. */
export const NODE = { width: 220, height: 44 } as const

/** Nodes by their ids, and calls between them. */
export interface MapGraph {
  readonly nodes: readonly string[]
  readonly edges: readonly { readonly source: string; readonly target: string }[]
}

/** A point in pixels from the top left. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Where a graph is drawn: centres of its nodes and lines of its edges, both in the order of the graph. */
export interface MapLayout {
  readonly width: number
  readonly height: number
  readonly nodes: readonly Point[]
  readonly edges: readonly (readonly Point[])[]
}
