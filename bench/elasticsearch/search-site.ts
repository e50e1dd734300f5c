import { setTimeout as sleep } from 'node:timers/promises'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SubstringSearch } from '../../src/domain/storage-plan.js'
import type { IndexGeneration } from '../../src/ports/index-catalog.js'
import { EngineClient } from '../../src/stores/elasticsearch/client/engine-client.js'
import { NodeWatches } from '../../src/stores/elasticsearch/client/node-watches.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { indexName } from '../../src/stores/elasticsearch/index/index-names.js'
import { elasticsearch } from '../../test/servers/elasticsearch.js'
import { ES8 } from '../../test/servers/recipes.js'
import { RunningServer } from '../../test/servers/running-server.js'
import { serverOf } from '../../test/support/elasticsearch-fixture.js'
import { treeCpuSeconds } from '../service/proc.js'
import { ServiceProcess } from '../service/service-process.js'
import { type MadeNamespace, Session } from '../service/session.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

// 512 MB are enough for tests, not for millions of logs with bulks in flight.
const HEAP = '1g'
const SOCKETS = 16
const SEARCHABLE = '/api/v1/logs?ack=searchable'
const DRAIN_MS = 180_000
const DRAIN_POLL_MS = 250

/** A gateway over an Elasticsearch of its own. */
export interface SearchSite {
  readonly engineUrl: string
  readonly service: ServiceProcess
  readonly operator: Session
  /** The engine itself, by the client that the gateway uses. */
  readonly engine: EngineClient
  /** CPU seconds of the engine so far. */
  engineCpu(): number
}

/** Starts Elasticsearch and the service, and stops both when `work` is done. */
export async function withSearchSite<T>(nodeArgs: readonly string[], work: (site: SearchSite) => Promise<T>): Promise<T> {
  const server = await RunningServer.start(elasticsearch({ ...ES8, heap: HEAP }))
  try {
    return await withTemporaryFolder('alidade-bench', dataDir => withGateway(server, { dataDir, nodeArgs }, work))
  } finally {
    await server.stop()
  }
}

async function withGateway<T>(
  server: RunningServer,
  { dataDir, nodeArgs }: { dataDir: string; nodeArgs: readonly string[] },
  work: (site: SearchSite) => Promise<T>
): Promise<T> {
  const { url } = server.access
  const service = await ServiceProcess.start({ dataDir, nodeArgs, env: { ALIDADE_ELASTICSEARCH_URL: url } })
  const node = serverOf(server.access)
  const watches = new NodeWatches({ server: node, clock: systemClock })
  const engine = new EngineClient(node, SOCKETS, watches)
  try {
    const operator = await Session.operator(service)
    return await work({ engineUrl: url, service, operator, engine, engineCpu: () => treeCpuSeconds(server.pid) })
  } finally {
    await Promise.all([engine.close(), watches.close()])
    await service.stop()
  }
}

/** Sends one log that must be searchable: what waited in the spool is so too when it is taken. Waits for that. */
export async function sendSearchable({ service }: SearchSite, ingestKey: string, message: string): Promise<void> {
  const headers = { 'x-api-key': ingestKey, 'content-type': 'application/json' }
  const endsMs = performance.now() + DRAIN_MS
  for (;;) {
    const reply = await fetch(service.url + SEARCHABLE, { method: 'POST', headers, body: JSON.stringify({ message }) })
    const text = await reply.text()
    if (reply.ok) return
    if (reply.status !== 503 || performance.now() > endsMs)
      throw new Error(`the logs are not searchable: ${reply.status} ${text}`)
    await sleep(DRAIN_POLL_MS)
  }
}

/** A namespace with indices of its own. */
export interface DedicatedNamespace extends MadeNamespace {
  readonly ingestKey: string
  /** Its index of logs, which exists. */
  readonly index: IndexGeneration
}

/** Makes a namespace, and its index of logs by one log. */
export async function makeDedicated(site: SearchSite, name: string, search: SubstringSearch): Promise<DedicatedNamespace> {
  const body = { name, storage: { placement: 'dedicated', search } }
  const made = await site.operator.call<MadeNamespace>('POST', '/api/v1/namespaces', body)
  const ingestKey = await site.operator.makeKey(`${name} in`, 'ingest', [made.id])
  await sendSearchable(site, ingestKey, 'the first')
  const owner = made.id as NamespaceId
  const index = indexName('logs', owner, 1, '')
  return {
    ...made,
    ingestKey,
    index: { owner, kind: 'logs', number: 1, index, fromMs: 0, search, createdAtMs: 0, madeAtMs: 0, lostAtMs: null }
  }
}
