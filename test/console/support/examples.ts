import { queryGraphql } from '../../support/graphql-client.js'
import type { RunningService } from '../../support/running-service.js'

/** Ids that are parts of addresses. */
export interface Examples {
  readonly traceId: string
  readonly groupId: string
  readonly logId: string
}

/** A failed trace, a group of errors and a log with a trace, of the last hour. */
export async function findExamples(service: RunningService): Promise<Examples> {
  const query = `query ($range: TimeRange!) {
    traces(range: $range, filter: { query: "POST", hasError: true }, first: 1) { nodes { traceId } }
    exceptionGroups(range: $range, first: 1) { nodes { id } }
    logs(range: $range, filter: { levels: [ERROR] }, first: 1) { nodes { id } }
  }`
  interface Found {
    readonly traces: { readonly nodes: readonly { readonly traceId: string }[] }
    readonly exceptionGroups: { readonly nodes: readonly { readonly id: string }[] }
    readonly logs: { readonly nodes: readonly { readonly id: string }[] }
  }
  const variables = { range: { from: 'now-1h', to: 'now' } }
  const found = await queryGraphql<Found>(service.url, query, variables, await scope(service))
  return {
    traceId: found.traces.nodes[0]!.traceId,
    groupId: found.exceptionGroups.nodes[0]!.id,
    logId: found.logs.nodes[0]!.id
  }
}

/** Creates a namespace whose admin is the first user. */
export async function addNamespace(service: RunningService, name: string): Promise<void> {
  const query = 'mutation ($name: String!) { createNamespace(name: $name) { userErrors { message } } }'
  await queryGraphql(service.url, query, { name }, await scope(service))
}

/** A new key that sends to a namespace of the first user. */
export async function createIngestKey(service: RunningService, namespace: string): Promise<string> {
  const query = 'mutation { createApiKey(input: { name: "tests", kind: INGEST }) { secret } }'
  interface Created {
    readonly createApiKey: { readonly secret: string }
  }
  const headers = { ...(await service.login()), 'x-namespace-id': namespace }
  return (await queryGraphql<Created>(service.url, query, {}, headers)).createApiKey.secret
}

async function scope(service: RunningService): Promise<Readonly<Record<string, string>>> {
  return { ...(await service.login()), 'x-namespace-id': service.first.namespaceId }
}
