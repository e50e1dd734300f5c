import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getIntrospectionQuery } from 'graphql'
import { pino } from 'pino'
import { GatewayError } from '../../src/domain/errors.js'
import { DEFAULT_GRAPHQL_LIMITS } from '../../src/http/graphql-limits.js'
import { postGraphql } from '../support/graphql-client.js'
import { type GraphqlOverStores, serveGraphql } from '../support/graphql-stores.js'
import { HOSTILE_QUERIES } from '../support/hostile-queries.js'

const OPERATION = fileURLToPath(new URL('../../schema/operations/LogExplorer.graphql', import.meta.url))

let open: GraphqlOverStores
let shut: GraphqlOverStores
beforeAll(async () => {
  open = await serveGraphql()
  shut = await serveGraphql({
    introspection: false,
    sandbox: false,
    authenticator: { reader: async () => Promise.reject(new GatewayError('expired_credential', 'the token has expired')) }
  })
})
afterAll(async () => {
  await open?.close()
  await shut?.close()
})

async function codeOf(body: unknown, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const response = await postGraphql(open.url, body, headers)
  return [response.status, response.errors[0]?.extensions['code']]
}

describe('hostile queries', () => {
  it.each(HOSTILE_QUERIES.map(hostile => [hostile.name, hostile] as const))(
    'of %s are refused with 400 before validation looks at them',
    async (_name, { query, refusal }) => {
      const response = await postGraphql(open.url, { query })
      expect([response.status, response.errors[0]?.extensions['code']]).toEqual([400, 'invalid_query'])
      expect(response.errors).toHaveLength(1)
      expect(response.errors[0]!.message).toMatch(refusal)
      // Each of them selects a field that does not exist: the stock rules would have reported it.
      expect(response.text).not.toMatch(/Cannot query field/)
    }
  )

  it('leave the service able to respond', async () => {
    expect((await postGraphql(open.url, { query: '{ __typename }' })).data).toEqual({ __typename: 'Query' })
  })
})

describe('responses to requests that are at fault', () => {
  it('name the place of a syntax error', async () => {
    const response = await postGraphql(open.url, { query: '{ logs(' })
    expect([response.status, response.errors[0]?.extensions['code']]).toEqual([400, 'invalid_query'])
    expect(response.errors[0]!.message).toMatch(/line 1, column 8/)
  })

  it('carry the codes of the REST interface', async () => {
    expect(await codeOf({ query: '{ nope }' })).toEqual([400, 'invalid_query'])
    expect(await codeOf({ query: 'query Q($a: String!) { metric(name: $a) { name } }', variables: { a: 1 } })).toEqual([
      400,
      'invalid_field'
    ])
    expect(await codeOf({ query: 'query A { __typename } query B { __typename }' })).toEqual([400, 'invalid_query'])
    expect(await codeOf({})).toEqual([400, 'missing_field'])
    expect(await codeOf([{ query: '{ __typename }' }])).toEqual([400, 'invalid_field'])
    expect(await codeOf({ query: '{ __typename }', variables: [] })).toEqual([400, 'invalid_field'])
    expect(await codeOf('{"query":')).toEqual([400, 'invalid_json'])
    expect(await codeOf({ query: '{ __typename }' }, { 'content-type': 'text/plain' })).toEqual([415, 'unsupported_media_type'])
    expect(await codeOf({ query: `{ __typename } #${'x'.repeat(300_000)}` })).toEqual([413, 'payload_too_large'])
  })

  it('refuse a time or a duration that is invalid, as a literal and as a variable', async () => {
    expect(await codeOf({ query: '{ logs(range: { from: "yesterday" }) { total { value } } }' })).toEqual([400, 'invalid_query'])
    const query = 'query Q($r: TimeRange!) { logs(range: $r) { total { value } } }'
    expect(await codeOf({ query, variables: { r: { from: '2026-02-31T00:00:00Z' } } })).toEqual([400, 'invalid_field'])
  })

  it('blank one panel and not its neighbors', async () => {
    const query =
      '{ bad: logs(range: { from: "now-1h" }, filter: { query: "(" }) { total { value } } good: logs(range: { from: "now-1h" }) { total { value } } }'
    const response = await postGraphql(open.url, { query })
    expect(response.status).toBe(200)
    expect(response.data).toEqual({ bad: null, good: { total: { value: 0 } } })
    expect(response.errors.map(error => [error.extensions['code'], error.path])).toEqual([['invalid_query', ['bad', 'total']]])
  })

  it('are 401 with a challenge in the shape of GraphQL', async () => {
    const response = await postGraphql(shut.url, { query: '{ __typename }' })
    expect([response.status, response.errors[0]?.extensions['code']]).toEqual([401, 'expired_credential'])
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('hide the cause of our own faults behind the request id', async () => {
    const failing = await serveGraphql({
      useCases: {
        authorizer: { readNamespace: async () => open.namespace },
        storeStates: async () => Promise.reject(new Error('secret cause'))
      } as never
    })
    try {
      const response = await postGraphql(failing.url, { query: '{ stores { name } }' })
      expect(response.text).not.toMatch(/secret/)
      expect(response.errors[0]!.extensions).toEqual({ code: 'internal', requestId: response.headers.get('x-request-id') })
    } finally {
      await failing.close()
    }
  })
})

describe('persisted operations', () => {
  const text = readFileSync(OPERATION, 'utf8')
  const id = createHash('sha256').update(text).digest('hex')
  const variables = { range: { from: 'now-1h' } }

  it.each([
    ['documentId', { documentId: `sha256:${id}` }],
    ['the extension of Apollo clients', { extensions: { persistedQuery: { version: 1, sha256Hash: id } } }]
  ])('run by %s', async (_name, named) => {
    const response = await postGraphql(open.url, { ...named, variables })
    expect(response.errors).toEqual([])
    expect(response.data).toHaveProperty('logs.total.value', 0)
  })

  it('are only those of the committed folder: no client can register one', async () => {
    const query = '{ __typename }'
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    expect((await postGraphql(open.url, { query, extensions })).data).toEqual({ __typename: 'Query' })
    expect(await codeOf({ documentId: sha256Hash })).toEqual([404, 'not_found'])
  })

  it('that are not committed are not supported, in the words on which clients send the query itself', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } }
    const response = await postGraphql(open.url, { operationName: 'Q', variables: {}, extensions })
    const errors = [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }]
    expect([response.status, JSON.parse(response.text)]).toEqual([200, { errors }])
  })
})

describe('a subscription', () => {
  it.each([
    'subscription { logs { message } }',
    'subscription S { x } query Q { __typename }',
    'query Q { __typename } subscription S { x }'
  ])('is refused as not valid, and no fault is logged: %s', async query => {
    const logged: string[] = []
    const served = await serveGraphql({}, pino({ level: 'trace' }, { write: line => void logged.push(line) }))
    try {
      const response = await postGraphql(served.url, { query, operationName: query.startsWith('query') ? 'S' : undefined })
      expect([response.status, response.errors]).toEqual([
        400,
        [{ message: expect.stringContaining('over WebSocket'), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]
      ])
      expect(logged.join('')).not.toMatch(/stack|"level":50/)
    } finally {
      await served.close()
    }
  })
})

describe('the media type of a refusal', () => {
  const BROWSERS = 'application/graphql-response+json, application/json;q=0.9'

  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    [BROWSERS, 'application/graphql-response+json; charset=utf-8'],
    ['application/json;q=0.5, application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['application/json, application/graphql-response+json;q=0.1', 'application/json; charset=utf-8']
  ])('is for Accept: %s the one of other responses', async (accept, expected) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const refused = await postGraphql(shut.url, { query: '{ __typename }' }, headers)
    const responded = await postGraphql(open.url, { query: '{ __typename }' }, headers)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, expected])
    expect(responded.headers.get('content-type')).toBe(expected)
  })
})

describe('GET', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  it.each([
    [BROWSER, 200, 'text/html; charset=utf-8'],
    ['*/*', 405, 'application/json; charset=utf-8'],
    ['application/json', 405, 'application/json; charset=utf-8'],
    ['application/graphql-response+json', 405, 'application/graphql-response+json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 405, 'application/json; charset=utf-8'],
    ['text/html;q=0', 405, 'application/json; charset=utf-8']
  ])('with Accept: %s is returned %s', async (accept, status, type) => {
    for (const path of ['/graphql', '/api/v1/graphql?query={__typename}']) {
      const response = await fetch(open.url + path, { headers: { accept } })
      expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
      if (status === 200) continue
      expect(response.headers.get('allow')).toBe('OPTIONS, POST')
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] })
    }
  })

  it('is 405 for browsers too where the page is switched off', async () => {
    const closed = await serveGraphql({ sandbox: false })
    try {
      expect((await fetch(`${closed.url}/graphql`, { headers: { accept: BROWSER } })).status).toBe(405)
    } finally {
      await closed.close()
    }
  })
})

describe('introspection and the sandbox page', () => {
  it('work when they are switched on, on both paths', async () => {
    expect((await postGraphql(open.url, { query: getIntrospectionQuery() })).data).toHaveProperty('__schema')
    const alias = await fetch(`${open.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}'
    })
    expect(await alias.json()).toEqual({ data: { __typename: 'Query' } })
    for (const path of ['/graphql', '/api/v1/graphql']) {
      const page = await fetch(open.url + path, { headers: { accept: 'text/html' } })
      expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    }
  })

  it('show a page without anything from elsewhere', async () => {
    const page = await fetch(`${open.url}/graphql`, { headers: { accept: 'text/html' } })
    const html = await page.text()
    expect(html).not.toMatch(/(?:src|href)=/)
    expect(html).not.toMatch(/https?:\/\//)
    const policy = page.headers.get('content-security-policy')!
    const script = /<script>([\s\S]*)<\/script>/.exec(html)![1]!
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).toContain("default-src 'none'")
  })

  it('are gone when they are switched off, names in suggestions too', async () => {
    const closed = await serveGraphql({ introspection: false, sandbox: false })
    try {
      const requested = await postGraphql(closed.url, { query: '{ __schema { types { name } } }' })
      expect([requested.status, requested.errors[0]?.extensions['code']]).toEqual([400, 'invalid_query'])
      expect((await postGraphql(closed.url, { query: '{ log { idd } }' })).text).not.toMatch(/Did you mean/)
      expect((await fetch(`${closed.url}/graphql`)).status).toBe(405)
    } finally {
      await closed.close()
    }
  })
})

describe('a client that goes away', () => {
  it('aborts its search', async () => {
    let aborted: (reason: unknown) => void = () => undefined
    const reason = new Promise<unknown>(resolve => (aborted = resolve))
    let began: () => void = () => undefined
    const started = new Promise<void>(resolve => (began = resolve))
    const search = async (_ns: unknown, _query: unknown, signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted(signal.reason)
          reject(signal.reason as Error)
        })
        began()
      })
    const slow = await serveGraphql({
      useCases: { authorizer: { readNamespace: async () => open.namespace }, logSearch: { search } } as never
    })
    try {
      const controller = new AbortController()
      const request = fetch(`${slow.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ logs(range: { from: "now-1h" }) { total { value } } }' }),
        signal: controller.signal
      }).catch(() => null)
      await started
      controller.abort()
      await request
      expect(String(await reason)).toMatch(/the client closed the connection/)
    } finally {
      await slow.close()
    }
  })
})

describe('limits', () => {
  it('are those that are given', async () => {
    const tight = await serveGraphql({ limits: { ...DEFAULT_GRAPHQL_LIMITS, maxDepth: 1 } })
    try {
      expect((await postGraphql(tight.url, { query: '{ viewer { role } }' })).errors[0]!.extensions).toMatchObject({
        code: 'invalid_query',
        limit: 'levels',
        max: 1
      })
    } finally {
      await tight.close()
    }
  })
})
