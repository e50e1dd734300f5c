import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../ports/clock.js'
import type { Finding } from '../../shared/finding.js'
import { Findings, judgeClock, wordsOf } from '../../shared/finding.js'
import { NAMES, OLDEST } from '../client/cluster.js'
import { EngineClient } from '../client/engine-client.js'
import { NodeWatches } from '../client/node-watches.js'
import type { Flavour } from '../document/index-template.js'
import { INDEX_PREFIXES, indexTemplate } from '../document/index-template.js'
import { DEFAULT_LIMITS } from '../limits.js'
import { OURS_PATTERN } from '../upkeep/index-calls.js'
import type { ElasticsearchServer } from '../client/node-transport.js'
import type { EngineResponse, SendRequest } from './send-request.js'
import { at, refusalReason, memberValues } from './send-request.js'
import { examineDisks, examineShards } from './examine-capacity.js'
import { examineRights } from './examine-rights.js'

const STORE = 'elasticsearch'
const BAD_REQUEST = 400
const UNAUTHORIZED = 401
const FORBIDDEN = 403
/** Every status from 400 on. */
const REFUSALS = Array.from({ length: 200 }, (_, i) => BAD_REQUEST + i)
const TIMEOUT_MS = 15_000
const SCRATCH_BYTES = 8
// Other than the real template's, so that the two do not conflict.
const PROBE_PRIORITY = 9_999

/** What an examination of a cluster needs. */
interface ExaminedCluster {
  /** For people: its URL or cloud id. */
  readonly address: string
  readonly send: SendRequest
  readonly clock: Clock
  readonly replicas: number | 'auto'
}

/** What the cluster is; null when it does not let us in or is too old. */
async function examineVersion({ send, address }: ExaminedCluster, findings: Findings): Promise<Flavour | null> {
  const response = await send('GET', '/_nodes/_local?filter_path=nodes.*.version,nodes.*.build_flavor')
  if (response.status === UNAUTHORIZED) {
    const remedy = 'correct elasticsearch_username and _password, or elasticsearch_api_key'
    findings.bad('credentials', `${address} does not accept them`, remedy)
    return null
  }
  const node = memberValues(at(response.body, 'nodes'))[0]
  const version = at(node, 'version')
  if (typeof version !== 'string') {
    const remedy = 'grant the cluster privilege monitor, or correct elasticsearch_url'
    findings.bad('version', `${address} does not report its version: ${refusalReason(response)}`, remedy)
    return null
  }
  const flavour = at(node, 'build_flavor') === undefined ? 'opensearch' : 'elasticsearch'
  const text = `${NAMES[flavour]} ${version}`
  if (Number.parseInt(version, 10) < OLDEST[flavour]) {
    findings.bad('version', `${text} is too old`, `upgrade to ${NAMES[flavour]} ${OLDEST[flavour]} or newer`)
    return null
  }
  findings.good('version', text)
  return flavour
}

async function examineClock({ send, clock }: ExaminedCluster, findings: Findings): Promise<void> {
  const beforeMs = clock.nowMs()
  const { body } = await send('GET', '/_nodes/_local/stats/os?filter_path=nodes.*.timestamp')
  const gatewayMs = (beforeMs + clock.nowMs()) / 2
  const storeMs = at(memberValues(at(body, 'nodes'))[0], 'timestamp')
  if (typeof storeMs === 'number') judgeClock(findings, storeMs, gatewayMs)
  else findings.notice('clock', 'the cluster does not report its time', 'grant the cluster privilege monitor')
}

async function examineTemplate({ send, replicas }: ExaminedCluster, findings: Findings, flavour: Flavour): Promise<void> {
  const { refreshSeconds } = DEFAULT_LIMITS
  const template = indexTemplate({ kind: 'logs', flavour, search: 'exact', replicas, refreshSeconds })
  const tried = { ...template, index_patterns: ['alidade-probe-*'], priority: PROBE_PRIORITY }
  const response = await send('POST', '/_index_template/_simulate', tried)
  const remedy = 'grant the cluster privilege manage_index_templates'
  if (response.status === FORBIDDEN)
    findings.bad('template', `the user cannot create index templates: ${refusalReason(response)}`, remedy)
  else if (response.status >= BAD_REQUEST)
    findings.bad(
      'template',
      `the cluster rejects the template of the service: ${refusalReason(response)}`,
      'use a version listed in docs/stores.md'
    )
  else findings.good('template', 'the cluster accepts the template of the service')
}

async function examineAll(cluster: ExaminedCluster, findings: Findings): Promise<void> {
  const { send } = cluster
  const flavour = await examineVersion(cluster, findings)
  if (flavour === null) return
  await examineClock(cluster, findings)
  await examineShards(send, findings)
  await examineDisks(send, findings, OURS_PATTERN)
  await examineTemplate(cluster, findings, flavour)
  await examineRights(send, findings, `${INDEX_PREFIXES.logs}doctor${randomBytes(SCRATCH_BYTES).toString('hex')}-000001`)
}

/** Sends requests of an examination: refusals are results, only a cluster that does not respond is an error. */
function requester(client: EngineClient): SendRequest {
  return async (method, path, body) => {
    const content = typeof body === 'string' ? Buffer.from(body) : body
    const sent = { method, path, timeoutMs: TIMEOUT_MS, accept: REFUSALS, ...(content === undefined ? {} : { body: content }) }
    const reply = await client.request(sent)
    return { status: reply.status, body: (reply.body ?? {}) as EngineResponse['body'] }
  }
}

/** Examines a search cluster: reach, version, clock, shards, disks, template and rights. Leaves nothing behind. */
export async function examineCluster(
  server: ElasticsearchServer,
  replicas: number | 'auto',
  clock: Clock
): Promise<readonly Finding[]> {
  const findings = new Findings(STORE)
  const address = server.urls?.join(', ') ?? `the deployment ${server.cloudId}`
  const watches = new NodeWatches({ server, clock })
  const client = new EngineClient(server, 1, watches)
  try {
    await examineAll({ address, send: requester(client), clock, replicas }, findings)
  } catch (error) {
    const remedy = 'start the cluster, or correct elasticsearch_url; with a certificate of your own set elasticsearch_ca_file'
    findings.bad('connection', `${address} cannot be used: ${wordsOf(error)}`, remedy)
  } finally {
    await Promise.all([client.close(), watches.close()])
  }
  return findings.list
}
