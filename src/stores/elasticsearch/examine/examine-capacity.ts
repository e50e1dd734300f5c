import type { Findings } from '../../shared/finding.js'
import type { SendRequest } from './send-request.js'
import { at, memberValues } from './send-request.js'

const DEFAULT_SHARDS_PER_NODE = 1_000
const SHARDS_NOTICE = 0.8
const SHARDS_BAD = 0.98
const DISK_NOTICE = 0.85
const DISK_BAD = 0.95
const PERCENT = 100

function percent(share: number): string {
  return `${Math.round(share * PERCENT)} %`
}

/** Whether all shards are there, and how many more the cluster takes. */
export async function examineShards(send: SendRequest, findings: Findings): Promise<void> {
  const { body: health } = await send('GET', '/_cluster/health')
  const { body: settings } = await send(
    'GET',
    '/_cluster/settings?include_defaults=true&filter_path=*.cluster.max_shards_per_node'
  )
  const nodes = Number(health['number_of_data_nodes'] ?? 1)
  const perNode = Number(
    ['transient', 'persistent', 'defaults'].map(level => at(settings, level, 'cluster', 'max_shards_per_node')).find(Boolean) ??
      DEFAULT_SHARDS_PER_NODE
  )
  const used = Number(health['active_shards'] ?? 0) + Number(health['unassigned_shards'] ?? 0)
  const share = used / (perNode * nodes)
  const text = `${used} of ${perNode * nodes} shards are in use`
  const remedy = 'place namespaces pooled, shorten retention, add a data node, or raise cluster.max_shards_per_node'
  if (share >= SHARDS_BAD) findings.bad('shards', text, remedy)
  else if (share >= SHARDS_NOTICE) findings.notice('shards', text, remedy)
  else findings.good('shards', text)
  if (health['status'] === 'red')
    findings.bad('cluster', 'it is red: some shards have no copy that works', 'see GET _cluster/allocation/explain')
  else if (health['status'] === 'yellow')
    findings.notice(
      'cluster',
      `it is yellow: ${String(health['unassigned_shards'])} replicas have no node (data nodes: ${nodes})`,
      'add a data node, or set number_of_replicas of these indices to 0'
    )
  else findings.good('cluster', `it is ${String(health['status'])} (data nodes: ${nodes})`)
}

interface Disk {
  readonly node: string
  readonly usedShare: number
}

function disks(stats: unknown): Disk[] {
  return memberValues(at(stats, 'nodes')).flatMap(node => {
    const total = Number(at(node, 'fs', 'total', 'total_in_bytes'))
    const free = Number(at(node, 'fs', 'total', 'available_in_bytes'))
    return total > 0 ? [{ node: String(at(node, 'name')), usedShare: 1 - free / total }] : []
  })
}

/** Whether the disks are near the flood stage, at which a cluster blocks all writes. */
export async function examineDisks(send: SendRequest, findings: Findings, indices: string): Promise<void> {
  const { body: stats } = await send('GET', '/_nodes/stats/fs?filter_path=nodes.*.name,nodes.*.fs.total')
  const { body: blocks } = await send(
    'GET',
    `/${indices}/_settings/index.blocks.read_only_allow_delete?expand_wildcards=open&ignore_unavailable=true`
  )
  const blocked = Object.entries(blocks).filter(
    ([, index]) => String(at(index, 'settings', 'index', 'blocks', 'read_only_allow_delete')) === 'true'
  )
  const remedy = 'free disk space or add a data node; Elasticsearch lifts its block by itself once it is below the high watermark'
  if (blocked.length > 0)
    return findings.bad('disk', `${blocked.length} indices reject writes: the disk reached the flood stage`, remedy)
  const fullest = disks(stats).toSorted((a, b) => b.usedShare - a.usedShare)[0]
  if (!fullest)
    return findings.notice('disk', 'the cluster does not report its disk usage', 'grant the cluster privilege monitor')
  const text = `the fullest disk, of node ${fullest.node}, is ${percent(fullest.usedShare)} full`
  if (fullest.usedShare >= DISK_BAD) return findings.bad('disk', text, remedy)
  if (fullest.usedShare >= DISK_NOTICE) return findings.notice('disk', text, remedy)
  return findings.good('disk', text)
}
