import { hostState, type HostSighting } from '../../domain/reported-host.js'
import type { HostState, HostSummary } from './host-result.js'

const MS_NS = 1_000_000n
const ACTIVE_NS = 300_000n * MS_NS
const STALE_NS = 86_400_000n * MS_NS

function stateByTelemetry(lastSeenNs: bigint, nowNs: bigint): HostState {
  const age = nowNs - lastSeenNs
  if (age <= ACTIVE_NS) return 'active'
  return age <= STALE_NS ? 'stale' : 'gone'
}

/** A machine whose agent is gone may still send telemetry another way. */
function stateOf(seenNs: bigint | undefined, sighting: HostSighting | undefined, nowNs: bigint): HostState {
  const byAgent = sighting === undefined ? 'gone' : hostState(sighting, Number(nowNs / MS_NS))
  return byAgent !== 'gone' || seenNs === undefined ? byAgent : stateByTelemetry(seenNs, nowNs)
}

/** The latest report of each name. */
function byName(reported: readonly HostSighting[]): ReadonlyMap<string, HostSighting> {
  const latest = new Map<string, HostSighting>()
  for (const sighting of reported) {
    const known = latest.get(sighting.name)
    if (known === undefined || known.lastSeenMs < sighting.lastSeenMs) latest.set(sighting.name, sighting)
  }
  return latest
}

/** Hosts of telemetry and of agents, by name in the order of code units. */
export function mergeHosts(
  seen: ReadonlyMap<string, bigint>,
  reported: readonly HostSighting[],
  nowNs: bigint
): readonly HostSummary[] {
  const agents = byName(reported)
  const names = new Set([...seen.keys(), ...agents.keys()])
  const hosts = [...names].map(name => {
    const [seenNs, sighting] = [seen.get(name), agents.get(name)]
    const reportedNs = sighting === undefined ? 0n : BigInt(sighting.lastSeenMs) * MS_NS
    const lastSeenNs = seenNs !== undefined && seenNs > reportedNs ? seenNs : reportedNs
    return { name, state: stateOf(seenNs, sighting, nowNs), lastSeenNs, hostId: sighting?.id ?? null }
  })
  return hosts.sort((a, b) => (a.name < b.name ? -1 : 1))
}
