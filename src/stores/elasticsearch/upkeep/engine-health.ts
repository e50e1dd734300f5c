import { diagnosisOf, sentenceOf } from '../../../domain/errors.js'
import type { StoreHealth } from '../../../ports/stores.js'
import type { Clock } from '../../../ports/clock.js'
import type { EngineClient } from '../client/engine-client.js'
import { OURS_PATTERN } from './index-calls.js'

const NAME = 'elasticsearch'
const TIMEOUT_MS = 2_000

interface ClusterHealth {
  readonly status: 'green' | 'yellow' | 'red'
  readonly unassigned_shards: number
}

function sentencesOf({ status, unassigned_shards: unassigned }: ClusterHealth, unknown: readonly string[]): string[] {
  const sentences: string[] = []
  if (status === 'red') sentences.push(`records are out of reach: ${unassigned} shards have no node`)
  if (status === 'yellow') sentences.push(`${unassigned} copies have no node`)
  if (unknown.length > 0) sentences.push(`${unknown.length} indices of this installation are in no catalog and are left alone`)
  return sentences
}

/** How the cluster is, as far as our indices go. */
export async function engineHealth(client: EngineClient, clock: Clock, unknown: readonly string[]): Promise<StoreHealth> {
  const startMs = clock.monotonicMs()
  try {
    const query = { expand_wildcards: 'open', filter_path: 'status,unassigned_shards' }
    const path = `/_cluster/health/${OURS_PATTERN}`
    const { body } = await client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS, accept: [408] })
    const latencyMs = Math.round(clock.monotonicMs() - startMs)
    const health = body as ClusterHealth
    return { name: NAME, healthy: health.status !== 'red', latencyMs, detail: sentencesOf(health, unknown).join('; ') }
  } catch (error) {
    return { name: NAME, healthy: false, latencyMs: null, detail: sentenceOf(error), diagnosis: diagnosisOf(error) }
  }
}
