import type { ByteBudget } from '../ingest/byte-budget.js'
import type { Turns } from '../ingest/turns.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'

/** Shows the budget of bytes at `/metrics`. */
export function showBodyBudget(metrics: Pick<SelfMetrics, 'show'>, budget: Pick<ByteBudget, 'state'>): void {
  metrics.show('alidade_body_memory_bytes', 'Memory that bodies of requests hold', () => budget.state.usedBytes)
  metrics.show('alidade_body_memory_limit_bytes', 'Memory that they may hold together', () => budget.state.maxBytes)
  metrics.show('alidade_bodies_in_flight', 'Bodies that are received or worked on', () => budget.state.bodies)
  metrics.show('alidade_bodies_waiting', 'Bodies that wait for memory', () => budget.state.waiting)
  const refused = 'alidade_bodies_refused'
  metrics.show(`${refused}_share`, 'Bodies refused since the start because their caller had its share', () => {
    return budget.state.refusedShare
  })
  metrics.show(`${refused}_whole`, 'Bodies refused since the start because all memory for bodies was in use', () => {
    return budget.state.refusedWhole
  })
}

/** Shows the queue of small bodies for the event loop at `/metrics`. */
export function showBodyQueue(metrics: Pick<SelfMetrics, 'show'>, turns: Pick<Turns, 'state'>): void {
  metrics.show('alidade_bodies_queued', 'Received bodies that wait for the event loop', () => turns.state.waiting)
  metrics.show('alidade_bodies_queued_bytes', 'Memory that they hold', () => turns.state.waitingBytes)
  metrics.show(
    'alidade_bodies_refused_queue',
    'Bodies refused since the start because too many waited for the event loop',
    () => {
      return turns.state.refused
    }
  )
}
