import type { AlertCondition } from '../../../domain/alerts/alert-rule.js'
import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import { type Label, labelsOfValues } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import { FOUND_EVENT_TYPES, type ServiceEvent } from '../../../domain/service-event.js'
import type { ServiceEvents } from '../../../ports/service-events.js'
import { IncompleteRead, type Snapshot } from './snapshot.js'

type EventCondition = Extract<AlertCondition, { kind: 'event' }>

/** Events of one read; more are an error. */
export const MAX_EVENTS_READ = 2_000

/** Attributes that are labels, of events that the service found: senders may write any number of values. */
const LABELLED = ['host', 'path']

/** Labels of an alert, sorted by name; members that an event lacks are left out. */
function labelsOf({ type, service, version, environment, attributes }: ServiceEvent): readonly Label[] {
  const found = FOUND_EVENT_TYPES.includes(type) ? attributes.filter(({ name }) => LABELLED.includes(name)) : []
  const labels = Object.fromEntries(found.map(({ name, value }) => [name, value]))
  return labelsOfValues({ ...labels, environment, event: type, service, version })
}

/** Counts events of services in windows that end at the requested times, their ends exclusive. */
export class EventSource {
  readonly #events: Pick<ServiceEvents, 'list'>

  constructor(events: Pick<ServiceEvents, 'list'>) {
    this.#events = events
  }

  /**
   * An element per service, version and environment, with the number of its events; of events that the service found, per
   * host and path, too. No events are data. Throws
   * `IncompleteRead` for more than `MAX_EVENTS_READ` events, and what the store throws.
   */
  async snapshots(
    ns: Namespace,
    { type, service, environment, windowMs }: EventCondition,
    times: readonly number[]
  ): Promise<readonly Snapshot[]> {
    const events = await this.#events.list(ns.id, {
      fromMs: times[0]! - windowMs,
      toMs: times.at(-1)!,
      types: [type],
      service: service ?? undefined,
      environment: environment ?? undefined,
      limit: MAX_EVENTS_READ + 1
    })
    if (events.length > MAX_EVENTS_READ)
      throw new IncompleteRead([], `the window has more than ${MAX_EVENTS_READ} events; shorten it, or name a service`)
    const labelled = withLabels(events)
    return times.map(time => {
      const within = labelled.filter(({ atMs }) => atMs >= time - windowMs && atMs < time)
      return { elements: counted(within), hasData: true }
    })
  }
}

/** The time of an event, and the labels that it shares with events of the same service, version and environment. */
interface LabelledEvent {
  readonly atMs: number
  readonly labels: readonly Label[]
}

function withLabels(events: readonly ServiceEvent[]): readonly LabelledEvent[] {
  const shared = new Map<string, readonly Label[]>()
  return events.map(event => {
    const labels = labelsOf(event)
    const key = JSON.stringify(labels)
    if (!shared.has(key)) shared.set(key, labels)
    return { atMs: event.atMs, labels: shared.get(key)! }
  })
}

function counted(events: readonly LabelledEvent[]): readonly VectorElement[] {
  const counts = new Map<readonly Label[], number>()
  for (const { labels } of events) counts.set(labels, (counts.get(labels) ?? 0) + 1)
  return [...counts].map(([labels, value]) => ({ labels, value }))
}
