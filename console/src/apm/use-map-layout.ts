import { useEffect, useState } from 'react'
import type { MapGraph, MapLayout } from './map-layout.js'

/** The layout of a graph, made by a worker; null until it arrives. Keep `graph` stable between renderings. */
export function useMapLayout(graph: MapGraph): { readonly layout: MapLayout | null; readonly hasFailed: boolean } {
  const [state, setState] = useState<{ readonly graph: MapGraph; readonly layout: MapLayout | null } | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL('./map-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', (event: MessageEvent<MapLayout>) => setState({ graph, layout: event.data }))
    worker.addEventListener('error', () => setState({ graph, layout: null }))
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(graph)
    return () => worker.terminate()
  }, [graph])
  const isCurrent = state?.graph === graph
  return { layout: isCurrent ? state.layout : null, hasFailed: isCurrent && state.layout === null }
}
