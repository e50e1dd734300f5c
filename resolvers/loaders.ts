import DataLoader from 'dataloader'
import type { SloService } from '../src/alerting/slo/slo-service.js'
import type { Slo } from '../src/domain/alerts/slo.js'
import type { ApiKeyService } from '../src/access/api-key-service.js'
import type { MemberService } from '../src/access/member-service.js'
import type { NamespaceService } from '../src/access/namespace-service.js'
import type { SessionPrincipal } from '../src/access/sessions.js'
import type { ApiKeyView, MemberView, NamespaceView } from '../src/access/views.js'
import type { AlertOverlays, OverlayTest } from '../src/alerting/notify/manage/alert-overlays.js'
import { GatewayError } from '../src/domain/errors.js'
import type { NamespaceId } from '../src/domain/ids.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { NewestRecord, OrderedSignal } from '../src/query/newest-record.js'
import type { MetricFacts } from '../src/domain/metric-facts.js'
import type { MetricFactsQuery } from '../src/query/metric-facts.js'

/** Different namespaces that one request may look into. */
const MAX_LOADED_NAMESPACES = 100

function perNamespace<Value>(load: (ns: NamespaceId) => Promise<Value>): DataLoader<NamespaceId, Value> {
  let loaded = 0
  return new DataLoader<NamespaceId, Value>(async ids => {
    loaded += ids.length
    if (loaded > MAX_LOADED_NAMESPACES) {
      throw new GatewayError('query_unsupported', `one request may look into ${MAX_LOADED_NAMESPACES} namespaces`)
    }
    return Promise.all(ids.map(id => load(id).catch((error: unknown) => error as Error)))
  })
}

/** What several fields of one request need: each is requested once per namespace. */
export interface Loaders {
  readonly members: DataLoader<NamespaceId, readonly MemberView[]>
  readonly apiKeys: DataLoader<NamespaceId, readonly ApiKeyView[]>
  /** The caller's namespaces by id. */
  readonly namespaces: () => Promise<ReadonlyMap<string, NamespaceView>>
}

/** The use cases that the loaders call. */
export interface LoadedFrom {
  readonly members: Pick<MemberService, 'list'>
  readonly apiKeys: Pick<ApiKeyService, 'list'>
  readonly namespaces: Pick<NamespaceService, 'list'>
}

/** Loaders of one request of a signed-in user. */
export function createLoaders(use: LoadedFrom, user: () => SessionPrincipal): Loaders {
  let namespaces: Promise<ReadonlyMap<string, NamespaceView>> | undefined
  return {
    members: perNamespace(async ns => use.members.list(user(), ns)),
    apiKeys: perNamespace(async ns => use.apiKeys.list(user(), ns)),
    namespaces: async () =>
      (namespaces ??= use.namespaces
        .list(user())
        .then(list => new Map(list.map(namespace => [namespace.id as string, namespace]))))
  }
}

/** Metadata of metrics from their senders, by name: loaded once for all metrics that a request shows. */
export type MetricFactsLoader = DataLoader<string, MetricFacts | null>

/** A loader of one request. */
export function createMetricFactsLoader(facts: MetricFactsQuery, namespace: () => Promise<Namespace>): MetricFactsLoader {
  return new DataLoader<string, MetricFacts | null>(async names => facts.of(await namespace(), names))
}

/** Time of the newest record of a signal, looked up once a request. */
export type NewestLoader = (signal: OrderedSignal) => Promise<bigint | null>

/** A loader of one request. */
export function createNewestLoader(
  newest: NewestRecord,
  { namespace, signal: abort }: { readonly namespace: () => Promise<Namespace>; readonly signal: AbortSignal }
): NewestLoader {
  const found = new Map<OrderedSignal, Promise<bigint | null>>()
  return async signal => {
    const known = found.get(signal) ?? namespace().then(ns => newest.at(ns, signal, abort))
    found.set(signal, known)
    return known
  }
}

/** What hides the notifications of alerts, looked up once a request. */
export type OverlayLoader = () => Promise<OverlayTest>

/** A loader of one request. */
export function createOverlayLoader(overlays: Pick<AlertOverlays, 'of'>, namespace: () => Promise<Namespace>): OverlayLoader {
  let found: Promise<OverlayTest> | undefined
  return () => (found ??= namespace().then(ns => overlays.of(ns)))
}

/** All SLOs of the namespace, read once for a request. */
export type SlosLoader = () => Promise<readonly Slo[]>

/** A loader of one request. */
export function createSlosLoader(slos: Pick<SloService, 'list'>, namespace: () => Promise<Namespace>): SlosLoader {
  let found: Promise<readonly Slo[]> | undefined
  return () => (found ??= namespace().then(ns => slos.list(ns)))
}
