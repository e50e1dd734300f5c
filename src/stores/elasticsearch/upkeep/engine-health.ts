import { diagnosisOf, sentenceOf } from '../../../domain/errors.js'
import type { Clock } from '../../../ports/clock.js'
import type { StoreHealth } from '../../../ports/stores.js'
import type { EngineClient } from '../client/engine-client.js'
import type { NodeWatches } from '../client/node-watches.js'
import { OURS_PATTERN } from './index-calls.js'

const NAME = 'elasticsearch'
const TIMEOUT_MS = 2_000

interface ClusterHealth {
  readonly status: 'green' | 'yellow' | 'red'
  readonly unassigned_shards: number
}

/** Remarks on a cluster that responds: for everybody, and with names for operators. */
export interface Remarks {
  readonly sentences: readonly string[]
  readonly diagnoses: readonly string[]
}

/** What health is made of. */
export interface ClusterHealthDeps {
  readonly client: EngineClient
  readonly watches: NodeWatches
  readonly clock: Clock
  /** What else is known of the indices. */
  readonly remarks: () => Promise<Remarks>
}

function ofShards({ status, unassigned_shards: unassigned }: ClusterHealth): readonly string[] {
  if (status === 'red') return [`records are unavailable: ${unassigned} shards have no node`]
  return status === 'yellow' ? [`${unassigned} replicas have no node`] : []
}

function ofNodes({ all, out }: NodeWatches): Remarks {
  if (out.length === 0) return { sentences: [], diagnoses: [] }
  const sentence = `${out.length} of ${all.length} nodes are unavailable`
  const words = out.map(({ outage }) => (outage === null ? '' : diagnosisOf(outage)))
  return { sentences: [sentence], diagnoses: [`${sentence}: ${words.join(', ')}`] }
}

async function clusterHealth(client: EngineClient): Promise<ClusterHealth> {
  const query = { expand_wildcards: 'open', filter_path: 'status,unassigned_shards' }
  const path = `/_cluster/health/${OURS_PATTERN}`
  const { body } = await client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS, accept: [408] })
  return body as ClusterHealth
}

/** How the cluster is, as far as our indices go. Nodes are probed, so that later requests know what this found. */
export async function engineHealth({ client, watches, clock, remarks }: ClusterHealthDeps): Promise<StoreHealth> {
  const startMs = clock.monotonicMs()
  const probing = watches.examine()
  try {
    const [health, ofIndices] = await Promise.all([clusterHealth(client), remarks()])
    const latencyMs = Math.round(clock.monotonicMs() - startMs)
    await probing
    const nodes = ofNodes(watches)
    const shards = ofShards(health)
    const detail = [...shards, ...nodes.sentences, ...ofIndices.sentences].join('; ')
    const diagnosis = [...shards, ...nodes.diagnoses, ...ofIndices.diagnoses].join('; ')
    return { name: NAME, healthy: health.status !== 'red', latencyMs, detail, diagnosis }
  } catch (error) {
    await probing
    return { name: NAME, healthy: false, latencyMs: null, detail: sentenceOf(error), diagnosis: diagnosisOf(error) }
  }
}
