import type { NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import type { ServiceEvents } from '../../ports/service-events.js'
import type { RateState } from '../../threads/rate-limits.js'
import type { FairScheduler } from '../fair-scheduler.js'
import type { IngestObserver, IngestRequest, NamespaceSource } from '../ingest-request.js'
import { parseJsonBody } from '../parse-json-body.js'
import { isRawObject } from '../raw-object.js'
import { requireRate } from '../require-rate.js'
import type { ResolvedNamespace } from '../resolve-namespace.js'
import type { ServiceEventLimits } from './event-limits.js'
import { parseServiceEvent } from './parse-service-event.js'

/** The response to an event. */
export interface ServiceEventReply {
  readonly status: 'ok'
  readonly namespace: string
  readonly namespace_source: NamespaceSource
  readonly event: { readonly id: string; readonly type: string; readonly timestamp: string }
  /** Whether an event with this id was stored before; this one was not stored then. */
  readonly duplicate: boolean
  readonly dry_run?: true
}

/** Dependencies of `ServiceEventAcceptor`. */
export interface ServiceEventAcceptorDeps {
  readonly events: Pick<ServiceEvents, 'add'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly newId: () => string
  readonly scheduler: Pick<FairScheduler, 'run'>
  readonly limits: ServiceEventLimits
  /** Throws for a namespace that the key may not write to. */
  readonly resolve: (request: IngestRequest, namespace: unknown) => ResolvedNamespace
  readonly rate: (ns: NamespaceId) => RateState
}

/** Deployments and other events of services: `POST /api/v1/events`. */
export class ServiceEventAcceptor {
  readonly #deps: ServiceEventAcceptorDeps

  constructor(deps: ServiceEventAcceptorDeps) {
    this.#deps = deps
  }

  get limits(): ServiceEventLimits {
    return this.#deps.limits
  }

  /**
   * Resolves when the event is stored, crash-safe. Throws `invalid_json`, `rate_limited`, those of `parseServiceEvent` and
   * those of the namespace.
   */
  accept(request: IngestRequest, observer: IngestObserver): Promise<ServiceEventReply> {
    return this.#deps.scheduler.run(request.body.length, () => this.#accept(request, observer))
  }

  async #accept(request: IngestRequest, observer: IngestObserver): Promise<ServiceEventReply> {
    const { events, clock, newId, limits, resolve, rate } = this.#deps
    const raw = parseJsonBody(request.body)
    const { namespace, source } = resolve(request, isRawObject(raw) ? raw['namespace'] : undefined)
    observer.namespaceResolved(namespace)
    requireRate(rate(namespace.id), observer)
    const { id: own, ...content } = parseServiceEvent(raw, clock.nowMs(), limits)
    const id = own ?? newId()
    const isNew = request.isDryRun || (await events.add({ ...content, namespaceId: namespace.id, id }))
    return {
      status: 'ok',
      namespace: namespace.name,
      namespace_source: source,
      event: { id, type: content.type, timestamp: new Date(content.atMs).toISOString() },
      duplicate: !isNew,
      ...(request.isDryRun && { dry_run: true })
    }
  }
}
