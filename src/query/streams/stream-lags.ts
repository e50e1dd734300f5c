import type { NamespaceId } from '../../domain/ids.js'
import type { LogStream } from '../../domain/log-stream.js'
import { hostState, type ReportedHost } from '../../domain/reported-host.js'
import type { ReportedHosts } from '../../ports/reported-hosts.js'

/** What the agent states of the only source with a path; null for none, and for several. */
function lagOf({ agent }: ReportedHost, path: string): number | null {
  const [source, ...others] = agent.sources.filter(one => one.path === path)
  return source === undefined || others.length > 0 ? null : source.lagBytes
}

/** Bytes of streams that are not stored yet, by the latest reports of their agents; by the id of the stream. */
export async function lagsOf(
  hosts: Pick<ReportedHosts, 'named'>,
  ns: NamespaceId,
  streams: readonly LogStream[],
  nowMs: number
): Promise<ReadonlyMap<string, number | null>> {
  const names = new Set(streams.flatMap(({ end, host }) => (end === null && host !== null ? [host] : [])))
  const reported = names.size === 0 ? [] : await hosts.named(ns, [...names])
  const active = reported.filter(host => hostState(host, nowMs) === 'active')
  return new Map(
    streams.map(({ id, end, host, hostId, path }) => {
      const agent = active.find(one => one.name === host && one.id === hostId)
      return [id, end !== null || agent === undefined || path === null ? null : lagOf(agent, path)]
    })
  )
}
