import type { ReceivedHook, WebhookReceiver } from '../support/webhook-receiver.js'
import type { AlertSite, SeenDelivery, SeenEvent } from './alert-site.js'
import { STEP_MS, type TimedRule } from './timed-rule.js'

/**
 * What is wrong with the history of rules whose conditions depend on the time alone: each change has to be there once, at its
 * very step, up to the last step before `untilMs`.
 */
export function historyFaults(rules: readonly TimedRule[], events: readonly SeenEvent[], untilMs: number): readonly string[] {
  return rules.flatMap(rule => {
    const expected = rule.changes(untilMs).map(({ to, atMs }) => `${to} at ${atMs}`)
    const own = events.filter(({ ruleId, atMs }) => ruleId === rule.id && atMs <= untilMs)
    const found = own.map(({ to, atMs }) => `${to} at ${atMs}`)
    const missing = expected.filter(event => !found.includes(event)).map(event => `${rule.name}: lost ${event}`)
    const strange = found.filter(event => !expected.includes(event)).map(event => `${rule.name}: wrongly ${event}`)
    const doubled = found.filter((event, at) => found.indexOf(event) !== at).map(event => `${rule.name}: twice ${event}`)
    return [...missing, ...strange, ...doubled]
  })
}

/** What is wrong with the samples of a recording rule of `time()`: one belongs to each step up to `untilMs`. */
export function sampleFaults(
  name: string,
  samples: readonly (readonly [atMs: number, value: number])[],
  untilMs: number
): readonly string[] {
  if (samples.length === 0 || samples.at(-1)![0] <= untilMs - STEP_MS) return [`${name}: no sample at the end`]
  return samples.flatMap(([atMs, value], at) => {
    const before = samples[at - 1]?.[0] ?? atMs - STEP_MS
    return [
      ...(atMs - before === STEP_MS ? [] : [`${name}: ${atMs - before} ms between samples at ${atMs}`]),
      ...(Math.round(value * 1_000) === atMs ? [] : [`${name}: ${value} at ${atMs}`])
    ]
  })
}

/** What receivers are promised of deliveries. */
export interface DeliveryCount {
  readonly faults: readonly string[]
  readonly received: number
  /** Ids of requests that repeated an earlier one, once for each repetition. */
  readonly repeated: readonly string[]
}

/** Compares the log of deliveries, as gateway `at` lists it, with what has arrived by then. */
export async function recountDeliveries(
  site: AlertSite,
  receiver: WebhookReceiver,
  { at, untilMs }: { readonly at: number; readonly untilMs: number }
): Promise<DeliveryCount> {
  const listed = receiver.received.length
  const deliveries = await site.deliveries(at)
  return countDeliveries(deliveries, receiver.received, { untilMs, listed })
}

/**
 * Compares a log of deliveries with what arrived. Deliveries that were made after `untilMs` may still wait. Requests after the
 * first `listed` ones may be of deliveries that were made after the log was read.
 */
export function countDeliveries(
  deliveries: readonly SeenDelivery[],
  hooks: readonly ReceivedHook[],
  { untilMs, listed = hooks.length }: { readonly untilMs: number; readonly listed?: number }
): DeliveryCount {
  const bodies = new Map<string, Set<string>>()
  const repeated: string[] = []
  for (const { headers, body } of hooks) {
    const id = headers['webhook-id']!
    if (bodies.has(id)) repeated.push(id)
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
  }
  const known = new Set(deliveries.map(({ id }) => id))
  const toBeListed = new Set(hooks.slice(0, listed).map(({ headers }) => headers['webhook-id']!))
  const hasArrived = ({ id, state, createdAtMs }: SeenDelivery): boolean =>
    bodies.has(id) || state === 'replaced' || (state === 'waiting' && createdAtMs > untilMs)
  return {
    faults: [
      ...[...bodies].filter(([, own]) => own.size > 1).map(([id]) => `${id}: several bodies`),
      ...[...toBeListed].filter(id => !known.has(id)).map(id => `${id}: arrived and is not in the log`),
      ...deliveries.filter(one => !hasArrived(one)).map(({ id, state }) => `${id}: ${state} and never arrived`),
      ...deliveries.filter(({ state }) => state === 'failed').map(({ id }) => `${id}: failed`)
    ],
    received: bodies.size,
    repeated
  }
}

/** A message about an alert. */
interface Report {
  readonly id: string
  readonly atMs: number
}

interface HookAlert {
  readonly status: string
  readonly labels: { readonly alertname: string }
  readonly startsAt: string
  readonly endsAt: string
}

/** The latest report about each alert: by the id of its message, which grows with time. */
function latestReports(hooks: readonly ReceivedHook[]): ReadonlyMap<string, Report> {
  const latest = new Map<string, Report>()
  for (const { headers, body } of hooks) {
    const id = headers['webhook-id']!
    const { data } = JSON.parse(body) as { data: { alerts: HookAlert[] } }
    for (const { status, labels, startsAt, endsAt } of data.alerts) {
      const atMs = Date.parse(status === 'firing' ? startsAt : endsAt)
      if (id >= (latest.get(labels.alertname)?.id ?? '')) latest.set(labels.alertname, { id, atMs })
    }
  }
  return latest
}

/** Rules whose last change before `atMs`, or a later one, was not reported. */
export function unreported(hooks: readonly ReceivedHook[], rules: readonly TimedRule[], atMs: number): readonly TimedRule[] {
  const latest = latestReports(hooks)
  return rules.filter(rule => (latest.get(rule.name)?.atMs ?? 0) < (rule.lastChangeMs(atMs) ?? 0))
}
