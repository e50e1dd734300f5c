import type { ReceivedHook } from '../support/webhook-receiver.js'
import { isPresentAt, STEP_MS, type SeenDelivery, type SeenEvent } from './alert-site.js'

/** What the events of one rule are, from its first one to a time; null when it has none. */
function expectedEvents(firstMs: number, toMs: number): readonly string[] {
  const events: string[] = []
  let wasPresent = !isPresentAt(firstMs)
  for (let atMs = firstMs; atMs <= toMs; atMs += STEP_MS) {
    const isPresent = isPresentAt(atMs)
    if (isPresent !== wasPresent) events.push(`${isPresent ? 'firing' : 'resolved'} at ${atMs}`)
    wasPresent = isPresent
  }
  return events
}

/**
 * What is wrong with the history of rules whose conditions depend on the time alone: each event has to be there once, at
 * its very step, up to the last step before `untilMs`.
 */
export function historyFaults(ruleIds: readonly string[], events: readonly SeenEvent[], untilMs: number): readonly string[] {
  return ruleIds.flatMap(ruleId => {
    const own = events.filter(event => event.ruleId === ruleId)
    const first = own[0]
    if (first === undefined) return [`${ruleId}: no events`]
    const expected = expectedEvents(first.atMs, untilMs)
    const found = own.filter(({ atMs }) => atMs <= untilMs).map(({ to, atMs }) => `${to} at ${atMs}`)
    const missing = expected.filter(event => !found.includes(event)).map(event => `${ruleId}: lost ${event}`)
    const strange = found.filter(event => !expected.includes(event)).map(event => `${ruleId}: wrongly ${event}`)
    const doubled = found.filter((event, at) => found.indexOf(event) !== at).map(event => `${ruleId}: twice ${event}`)
    return [...missing, ...strange, ...doubled]
  })
}

/** What receivers are promised of deliveries. */
export interface DeliveryCount {
  readonly faults: readonly string[]
  readonly received: number
  /** Requests that repeated an earlier one. */
  readonly repeated: number
}

/** Compares the log of deliveries with what arrived. */
export function countDeliveries(deliveries: readonly SeenDelivery[], hooks: readonly ReceivedHook[]): DeliveryCount {
  const bodies = new Map<string, Set<string>>()
  for (const { headers, body } of hooks) {
    const id = headers['webhook-id']!
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
  }
  const known = new Set(deliveries.map(({ id }) => id))
  const states = new Set(['delivered', 'replaced'])
  return {
    faults: [
      ...[...bodies].filter(([, own]) => own.size > 1).map(([id]) => `${id}: several bodies`),
      ...[...bodies.keys()].filter(id => !known.has(id)).map(id => `${id}: arrived and is not in the log`),
      ...deliveries.filter(({ id, state }) => state === 'delivered' && !bodies.has(id)).map(({ id }) => `${id}: never arrived`),
      ...deliveries.filter(({ state }) => !states.has(state)).map(({ id, state }) => `${id}: ${state}`)
    ],
    received: bodies.size,
    repeated: hooks.length - bodies.size
  }
}

/** Rules whose last message does not report their last event. */
export function staleReports(
  hooks: readonly ReceivedHook[],
  ruleIds: readonly string[],
  events: readonly SeenEvent[]
): readonly string[] {
  const last = new Map<string, { readonly id: string; readonly status: string }>()
  for (const { headers, body } of hooks) {
    const id = headers['webhook-id']!
    const { data } = JSON.parse(body) as { data: { alerts: { status: string; labels: { alertname: string } }[] } }
    for (const { status, labels } of data.alerts) {
      if (id >= (last.get(labels.alertname)?.id ?? '')) last.set(labels.alertname, { id, status })
    }
  }
  return ruleIds.flatMap((ruleId, n) => {
    const expected = events.findLast(event => event.ruleId === ruleId)?.to
    const reported = last.get(`R${n}`)?.status
    return expected === reported ? [] : [`${ruleId}: reported as ${reported}, is ${expected}`]
  })
}
