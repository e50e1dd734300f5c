import type { ServerAccess } from './variables.js'

const HEALTH_TIMEOUT_MS = 3_000

/** The port in the line that Elasticsearch and OpenSearch write when they serve HTTP. */
export function publishedHttpPort(output: string): number | undefined {
  const port = /HttpServerTransport\s*\].*publish_address \{[^}]*:(\d+)\}/.exec(output)?.[1]
  return port === undefined ? undefined : Number(port)
}

/** True when the cluster has `nodes` nodes and every shard that it needs to respond. */
export async function isClusterReady({ url, username, password }: ServerAccess, nodes: number): Promise<boolean> {
  const headers: Record<string, string> =
    username === undefined ? {} : { authorization: `Basic ${btoa(`${username}:${password}`)}` }
  const response = await fetch(`${url}/_cluster/health?wait_for_status=yellow&wait_for_nodes=${nodes}&timeout=1s`, {
    headers,
    signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS)
  })
  return response.status === 200 && !((await response.json()) as { timed_out: boolean }).timed_out
}
