import type { Clock } from '../../../ports/clock.js'
import type { Finding } from '../../finding.js'
import { Findings, judgeClock, wordsOf } from '../../finding.js'
import type { Answer, Ask } from './ask.js'
import { at, reasonOf, valuesOf } from './ask.js'
import { examineDisks, examineShards } from './examine-capacity.js'
import { examineRights } from './examine-rights.js'

const STORE = 'elasticsearch'
const OLDEST_ELASTICSEARCH = 8
const OLDEST_OPENSEARCH = 2
const UNAUTHORIZED = 401
const FORBIDDEN = 403

/** What an examination of a cluster needs. */
export interface ExaminedCluster {
  /** For people: its URL or cloud id. */
  readonly address: string
  readonly ask: Ask
  readonly clock: Clock
  /** Body of an index template that the service would put, tried out without storing it. */
  readonly template: object
  /** Pattern of all indices of the service, e.g. `logs-alidade.*`. */
  readonly indices: string
  /** Name of an index to make and delete, which the pattern covers. */
  readonly scratchIndex: string
}

/** Whether the cluster lets us in and is one that the service can use. */
async function examineVersion({ ask, address }: ExaminedCluster, findings: Findings): Promise<boolean> {
  const answer = await ask('GET', '/_nodes/_local?filter_path=nodes.*.version,nodes.*.build_flavor')
  if (answer.status === UNAUTHORIZED) {
    findings.bad(
      'credentials',
      `${address} does not accept them`,
      'correct elasticsearch_username and _password, or elasticsearch_api_key'
    )
    return false
  }
  const node = valuesOf(at(answer.body, 'nodes'))[0]
  const version = at(node, 'version')
  if (typeof version !== 'string') {
    findings.bad(
      'version',
      `${address} does not tell its version: ${reasonOf(answer)}`,
      'grant the cluster privilege monitor, or correct elasticsearch_url'
    )
    return false
  }
  const isElasticsearch = at(node, 'build_flavor') !== undefined
  const text = `${isElasticsearch ? 'Elasticsearch' : 'OpenSearch'} ${version}`
  const isOldEnough = Number.parseInt(version, 10) >= (isElasticsearch ? OLDEST_ELASTICSEARCH : OLDEST_OPENSEARCH)
  if (isOldEnough) findings.good('version', text)
  else
    findings.bad(
      'version',
      `${text} is too old`,
      `upgrade to Elasticsearch ${OLDEST_ELASTICSEARCH} or OpenSearch ${OLDEST_OPENSEARCH}`
    )
  return isOldEnough
}

async function examineClock({ ask, clock }: ExaminedCluster, findings: Findings): Promise<void> {
  const beforeMs = clock.nowMs()
  const { body } = await ask('GET', '/_nodes/_local/stats/os?filter_path=nodes.*.timestamp')
  const gatewayMs = (beforeMs + clock.nowMs()) / 2
  const storeMs = at(valuesOf(at(body, 'nodes'))[0], 'timestamp')
  if (typeof storeMs === 'number') judgeClock(findings, storeMs, gatewayMs)
  else findings.notice('clock', 'the cluster does not tell its time', 'grant the cluster privilege monitor')
}

async function examineTemplate({ ask, template }: ExaminedCluster, findings: Findings): Promise<void> {
  const answer: Answer = await ask('POST', '/_index_template/_simulate', template)
  if (answer.status === FORBIDDEN)
    findings.bad(
      'template',
      `the user cannot make index templates: ${reasonOf(answer)}`,
      'grant the cluster privilege manage_index_templates'
    )
  else if (answer.status >= 400)
    findings.bad(
      'template',
      `the cluster refuses the template of the service: ${reasonOf(answer)}`,
      'use a version that docs/stores.md names'
    )
  else findings.good('template', 'the cluster takes the template of the service')
}

/** Examines a search cluster: reach, version, clock, shards, disks, template and rights. Leaves nothing behind. */
export async function examineCluster(cluster: ExaminedCluster): Promise<readonly Finding[]> {
  const { ask, address, indices, scratchIndex } = cluster
  const findings = new Findings(STORE)
  try {
    if (!(await examineVersion(cluster, findings))) return findings.list
    await examineClock(cluster, findings)
    await examineShards(ask, findings)
    await examineDisks(ask, findings, indices)
    await examineTemplate(cluster, findings)
    await examineRights(ask, findings, scratchIndex)
  } catch (error) {
    const remedy = 'start the cluster, or correct elasticsearch_url; with a certificate of your own set elasticsearch_ca_file'
    findings.bad('connection', `${address} does not answer: ${wordsOf(error)}`, remedy)
  }
  return findings.list
}
