import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { ServiceEvents } from '../ports/service-events.js'
import { RateLimits } from '../threads/rate-limits.js'
import type { RateRule } from './accept-records.js'
import type { FairScheduler } from './fair-scheduler.js'
import { HostAcceptor } from './hosts/accept-host.js'
import { HOST_LIMITS, type HostLimits } from './hosts/host-limits.js'
import { HostRecorder } from './hosts/host-recorder.js'
import { HostStreams, type HostStreamsDeps } from './hosts/host-streams.js'
import type { IngestRequest } from './ingest-request.js'
import { type NamespaceResolution, resolveByKey, type ResolvedNamespace } from './resolve-namespace.js'
import { ServiceEventAcceptor } from './service-events/accept-service-event.js'
import { SERVICE_EVENT_LIMITS } from './service-events/event-limits.js'

/** Dependencies of `Reports`. */
export interface ReportsDeps {
  readonly clock: Clock
  readonly newIngestId: () => string
  /** Which lines of log streams arrived. */
  readonly streams: Pick<ControlStore, 'streams' | 'transaction'>
  /** Hosts that agents report. */
  readonly hosts: Pick<ControlStore, 'hosts' | 'transaction'>
  /** Deployments and other events of services. */
  readonly serviceEvents: Pick<ServiceEvents, 'add' | 'keepNewest'>
  /** Bounds of hosts; `HOST_LIMITS` when absent. */
  readonly hostLimits?: HostLimits
}

/** Writes of the control database: what is known of hosts and services besides their telemetry. */
export interface Reports {
  /** `PUT /api/v1/hosts/{id}`. */
  readonly hosts: HostAcceptor
  /** `POST /api/v1/events`. */
  readonly serviceEvent: ServiceEventAcceptor
}

/** What they share with other writes. */
interface Shared {
  readonly scheduler: FairScheduler
  readonly resolver: NamespaceResolution
  /** Bytes of a namespace. */
  readonly rate: RateRule
  /** Resolves when the ledger has the batches of a host that are in flight. */
  readonly settled: HostStreamsDeps['settled']
}

function hostsOf(
  { hosts: control, streams: ledger, clock, hostLimits: limits = HOST_LIMITS }: ReportsDeps,
  { scheduler, resolver, rate, settled }: Shared
): HostAcceptor {
  const recorder = new HostRecorder({ control, clock, limits })
  const resolve = (request: IngestRequest, named: unknown): ResolvedNamespace => resolveByKey(resolver, request, named)
  const streams = new HostStreams({ streams: ledger.streams, clock, settled })
  return new HostAcceptor({ recorder, streams, scheduler, limits, resolve, rate })
}

function serviceEventsOf(
  { serviceEvents: events, clock, newIngestId: newId }: ReportsDeps,
  { scheduler, resolver }: Shared
): ServiceEventAcceptor {
  const limits = SERVICE_EVENT_LIMITS
  const { perSecond, burst } = limits
  const rates = new RateLimits({ name: 'events', unit: 'requests', perSecond, burst }, () => clock.monotonicMs())
  const resolve = (request: IngestRequest, named: unknown): ResolvedNamespace => resolveByKey(resolver, request, named)
  return new ServiceEventAcceptor({ events, clock, newId, scheduler, limits, resolve, rate: ns => rates.take(ns, 1) })
}

/** Wires them. */
export function reportsOf(deps: ReportsDeps, shared: Shared): Reports {
  return { hosts: hostsOf(deps, shared), serviceEvent: serviceEventsOf(deps, shared) }
}
