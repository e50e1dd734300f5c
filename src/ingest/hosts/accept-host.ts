import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { FairScheduler } from '../fair-scheduler.js'
import type { IngestObserver, IngestRequest, NamespaceSource } from '../ingest-request.js'
import { parseJsonBody } from '../parse-json-body.js'
import { isRawObject } from '../raw-object.js'
import { requireRate } from '../require-rate.js'
import type { ResolvedNamespace } from '../resolve-namespace.js'
import type { RateState } from '../../threads/rate-limits.js'
import type { HostLimits } from './host-limits.js'
import type { HostStreams, HostStreamsReply } from './host-streams.js'
import type { HostRecorder } from './host-recorder.js'
import { type HostReportBody, parseHostReport } from './parse-host-report.js'

/** The response to a report of a host. */
export interface HostReply {
  readonly status: 'ok'
  readonly namespace: string
  readonly namespace_source: NamespaceSource
  readonly host: {
    readonly id: string
    readonly name: string
    readonly interval_s: number
    readonly listeners: number | null
    readonly containers: number | null
  }
  /** Streams of the host, where they were requested. */
  readonly streams?: HostStreamsReply
  readonly dry_run?: true
}

/** Which machine reports, and what it requests. */
export interface HostRequest {
  readonly id: string
  /** Streams after this id, from the first on when it is empty; null: none. */
  readonly streamsAfter: string | null
}

export interface HostAcceptorDeps {
  readonly recorder: Pick<HostRecorder, 'record'>
  readonly streams: Pick<HostStreams, 'page'>
  readonly scheduler: Pick<FairScheduler, 'run' | 'next'>
  readonly limits: HostLimits
  /** Throws for a namespace that the key may not write to. */
  readonly resolve: (request: IngestRequest, namespace: unknown) => ResolvedNamespace
  readonly rate: (request: IngestRequest, ns: NamespaceId) => RateState
}

const HOST_ID = /^[0-9A-Za-z._:-]{1,64}$/

function replyOf(id: string, report: HostReportBody, target: ResolvedNamespace): HostReply {
  const { name, intervalMs, listeners, containers } = report
  const counts = { listeners: listeners?.length ?? null, containers: containers?.length ?? null }
  return {
    status: 'ok',
    namespace: target.namespace.name,
    namespace_source: target.source,
    host: { id, name, interval_s: intervalMs / 1000, ...counts }
  }
}

/** Reports of hosts: `PUT /api/v1/hosts/{id}`. */
export class HostAcceptor {
  readonly #deps: HostAcceptorDeps

  constructor(deps: HostAcceptorDeps) {
    this.#deps = deps
  }

  get limits(): HostLimits {
    return this.#deps.limits
  }

  /** Throws `invalid_json`, `missing_field`, `invalid_field`, `rate_limited`, `quota_exceeded`, and those of the namespace. */
  accept(request: IngestRequest, host: HostRequest, observer: IngestObserver): Promise<HostReply> {
    return this.#deps.scheduler.run(request.body.length, async () => {
      // Parsed in a turn of its own.
      await this.#deps.scheduler.next()
      return this.#accept(request, host, observer)
    })
  }

  async #accept(request: IngestRequest, { id, streamsAfter }: HostRequest, observer: IngestObserver): Promise<HostReply> {
    const { limits, recorder, streams } = this.#deps
    if (!HOST_ID.test(id))
      throw new GatewayError('invalid_field', 'id must be at most 64 letters, digits and ._:-', { field: 'id' })
    const raw = parseJsonBody(request.body)
    const target = this.#deps.resolve(request, isRawObject(raw) ? raw['namespace'] : undefined)
    observer.namespaceResolved(target.namespace)
    requireRate(this.#deps.rate(request, target.namespace.id), observer)
    const body = parseHostReport(raw, limits)
    if (request.isDryRun) return { ...replyOf(id, body, target), dry_run: true }
    await recorder.record({ namespaceId: target.namespace.id, id, name: body.name }, body)
    const reply = replyOf(id, body, target)
    if (streamsAfter === null) return reply
    return { ...reply, streams: await streams.page(target.namespace, { hostId: id, name: body.name }, streamsAfter) }
  }
}
