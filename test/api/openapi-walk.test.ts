import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { BuiltServer } from '../../src/http/server.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, object>>
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: object; readonly schemas: object }
}

const METHODS_WITHOUT_ENTRY = new Set(['HEAD'])
/** Operations that require no credential. */
const OPEN_TAGS = new Set(['operations', 'auth'])

let together: RunningService
let apart: RunningService

beforeAll(async () => {
  together = await startService({ flags: ['--console', 'false'] })
  apart = await startService({ flags: ['--ingest-port', '0'] })
})
afterAll(async () => {
  await together?.close()
  await apart?.close()
})

async function documentAt(url: string): Promise<Document> {
  return (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Document
}

function operationsOf(document: Document): readonly (readonly [string, Operation])[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const)
  )
}

function routesOf(server: BuiltServer): readonly string[] {
  return server.routes
    .entries()
    .filter(route => !route.isHidden && !METHODS_WITHOUT_ENTRY.has(route.method))
    .map(route => `${route.method} ${route.url.replace(/:(\w+)/g, '{$1}')}`)
}

const sorted = (strings: readonly string[]): readonly string[] => [...strings].sort()

describe('the OpenAPI document', () => {
  it('names exactly the routes that the API serves', async () => {
    const document = await documentAt(together.url)
    expect(document.openapi).toBe('3.1.0')
    expect(sorted(operationsOf(document).map(([name]) => name))).toEqual(sorted(routesOf(together.app.servers.api)))
  })

  it('names exactly the routes of each port when ingest has its own', async () => {
    const ofApi = operationsOf(await documentAt(apart.url)).map(([name]) => name)
    const ofIngest = operationsOf(await documentAt(apart.ingestUrl)).map(([name]) => name)
    expect(sorted(ofApi)).toEqual(sorted(routesOf(apart.app.servers.api)))
    expect(sorted(ofIngest)).toEqual(sorted(routesOf(apart.app.servers.ingest!)))
  })

  it('gives every operation an id of its own, a summary, a tag and a response', async () => {
    const operations = operationsOf(await documentAt(together.url))
    const incomplete = operations.filter(([, { operationId, summary, tags }]) => !operationId || !summary || !tags?.length)
    const ids = operations.map(([, { operationId }]) => operationId)
    const pending = operations.filter(([, { responses }]) => Object.keys(responses).every(status => status.endsWith('XX')))
    expect(incomplete.map(([name]) => name)).toEqual([])
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    expect(pending.map(([name]) => name)).toEqual([])
  })

  it('reports which credential an operation takes', async () => {
    const operations = operationsOf(await documentAt(together.url))
    const open = operations.filter(
      ([name, { security, tags, responses }]) =>
        !name.startsWith('OPTIONS') && !security?.length && !tags?.some(tag => OPEN_TAGS.has(tag)) && !('501' in responses)
    )
    expect(open.map(([name]) => name)).toEqual([])
  })

  it('has no route whose canonical path is missing', () => {
    const routes = together.app.servers.api.routes.entries().filter(route => !METHODS_WITHOUT_ENTRY.has(route.method))
    const canonical = new Set(routes.map(route => `${route.method} ${route.url}`))
    const aliases = routes.filter(route => !route.url.startsWith('/api/v1'))
    const isKnown = (method: string, url: string): boolean =>
      ['/api/v1', '/api/v1/otlp', '/api/v1/influx'].some(prefix => canonical.has(`${method} ${prefix}${url}`))
    const lonely = aliases.filter(({ method, url }) => !isKnown(method, url))
    // The root leads to the page of GraphQL.
    expect(lonely.map(route => `${route.method} ${route.url}`)).toEqual(['GET /'])
  })
})
