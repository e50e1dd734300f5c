import { graphlib, layout } from '@dagrejs/dagre'
import { type MapGraph, type MapLayout, NODE, type Point } from './map-layout.js'

/** Layered from callers at the left to callees at the right. A large graph takes most of a second: therefore a worker. */
function layOut({ nodes, edges }: MapGraph): MapLayout {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 72, marginx: 12, marginy: 12 })
  graph.setDefaultEdgeLabel(() => ({}))
  // Ids come from spans: indices keep them out of the keys of the library's objects.
  for (const index of nodes.keys()) graph.setNode(String(index), { ...NODE })
  const at = new Map(nodes.map((id, index) => [id, String(index)]))
  for (const { source, target } of edges) graph.setEdge(at.get(source)!, at.get(target)!)
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number }
  return {
    width,
    height,
    nodes: nodes.map((_, index) => {
      const { x, y } = graph.node(String(index)) as Point
      return { x, y }
    }),
    edges: edges.map(({ source, target }) => {
      const { points } = graph.edge(at.get(source)!, at.get(target)!) as { readonly points: readonly Point[] }
      return points.map(({ x, y }) => ({ x, y }))
    })
  }
}

addEventListener('message', (event: MessageEvent<MapGraph>) => postMessage(layOut(event.data)))
