import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MAX_VIEWS_OF_PAGE, VIEW_SIGNALS } from '../../src/access/saved-view-service.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant, textOf } from '../support/tenants.js'

const VIEWS = '/api/v1/views'
const LIMIT_MS = 240_000

let service: RunningService
let mine: Tenant
let theirs: Tenant

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  mine = await createTenant(service, 'zqmine')
  theirs = await createTenant(service, 'zqtheirs')
}, LIMIT_MS)
afterAll(() => service?.close())

interface View {
  readonly id: string
  readonly name: string | null
  readonly signal: string
  readonly state: object
}

async function send(method: string, token: string, path: string, json?: unknown): Promise<CheckedResponse> {
  const headers = { authorization: `Bearer ${token}` }
  return service.api(`${VIEWS}${path}`, { method, headers, ...(json !== undefined && { json }) })
}

/** Status, code and field of a problem. */
async function fault(response: Promise<CheckedResponse>): Promise<readonly unknown[]> {
  const { status, json } = await response
  const [first] = (json['errors'] ?? []) as readonly { readonly field?: string }[]
  return [status, json['code'], first?.field ?? json['field']]
}

async function save(token: string, view: object): Promise<View> {
  return (await must(service.api, `POST ${VIEWS}`, token, view)).json as unknown as View
}

interface ListPage {
  readonly views: readonly View[]
  readonly page: { readonly next_cursor: string | null; readonly has_more: boolean; readonly limit: number }
}

async function list(token: string, query = ''): Promise<ListPage> {
  return (await must(service.api, `GET ${VIEWS}${query}`, token)).json as unknown as ListPage
}

async function graphql<Data>(token: string, query: string, variables: object = {}): Promise<Data> {
  const { data, text } = await postGraphql<Data>(service.url, { query, variables }, { authorization: `Bearer ${token}` })
  if (!data) throw new Error(text)
  return data
}

/** A namespace of its own, and the session of its admin in it. */
async function ownNamespace(name: string): Promise<string> {
  const id = textOf(await must(service.api, 'POST /api/v1/namespaces', mine.admin, { name }), 'id')
  return textOf(await must(service.api, 'POST /api/v1/auth/switch', mine.admin, { namespace_id: id }), 'access_token')
}

describe('saved views over REST', () => {
  it('are stored, read, listed by name, replaced and deleted by members, and read by viewers and keys', async () => {
    const state = { q: 'level:error', from: 'now-1h', cols: 'time,message', nested: [1, null, { deep: true }] }
    const made = await save(mine.member, { name: ' Errors ', signal: 'logs', state })
    const stored = { id: made.id, name: 'Errors', signal: 'logs', state }
    expect(made).toEqual({
      ...stored,
      created_by: expect.any(String),
      updated_by: expect.any(String),
      updated_at: expect.stringMatching(/Z$/)
    })
    const link = await save(mine.member, { signal: 'spans', state: {} })
    expect(link).toMatchObject({ name: null, signal: 'spans', state: {} })
    for (const token of [mine.viewer, mine.queryKey]) {
      expect((await list(token)).views).toEqual([made])
      expect((await list(token, '?signal=spans')).views).toEqual([])
      expect((await send('GET', token, `/${made.id}`)).json).toEqual(made)
      expect((await send('GET', token, `/${link.id}`)).json).toEqual(link)
    }
    const replaced = await send('PUT', mine.member, `/${made.id}`, { name: 'Faults', signal: 'rum', state: { q: 'x' } })
    expect(replaced.json).toMatchObject({ id: made.id, name: 'Faults', signal: 'rum', state: { q: 'x' } })
    expect((await send('GET', mine.viewer, `/${made.id}`)).json).toEqual(replaced.json)
    expect((await send('PUT', mine.member, `/${made.id}`, { name: null, signal: 'rum', state: {} })).json['name']).toBeNull()
    for (const { id } of [made, link]) {
      expect((await send('DELETE', mine.member, `/${id}`)).json).toEqual({ deleted: id })
      expect(await fault(send('DELETE', mine.member, `/${id}`))).toEqual([404, 'not_found', 'id'])
      expect(await fault(send('GET', mine.viewer, `/${id}`))).toEqual([404, 'not_found', 'id'])
      expect(await fault(send('PUT', mine.member, `/${id}`, { signal: 'logs', state: {} }))).toEqual([404, 'not_found', 'id'])
    }
    const audit = await must(service.api, `GET /api/v1/namespaces/${mine.namespaceId}/audit`, mine.admin)
    for (const action of ['saved_view.saved', 'saved_view.deleted']) expect(audit.text).toContain(action)
  })

  it('are those that GraphQL has, with every signal', async () => {
    const find = 'query ($id: ID!) { savedView(id: $id) { id name signal state } }'
    const put = `mutation ($id: ID, $input: SavedViewInput!) { saveView(id: $id, input: $input) { savedView { id } } }`
    for (const signal of VIEW_SIGNALS) {
      const { id } = await save(mine.member, { name: signal, signal, state: { q: signal } })
      const view = { id, name: signal, signal: signal.toUpperCase(), state: { q: signal } }
      expect(await graphql(mine.viewer, find, { id })).toEqual({ savedView: view })
      const input = { name: `${signal} 2`, signal: signal.toUpperCase(), state: { q: 'new' } }
      await graphql(mine.member, put, { id, input })
      expect((await send('GET', mine.viewer, `/${id}`)).json).toMatchObject({ name: `${signal} 2`, signal, state: { q: 'new' } })
      await graphql(mine.member, 'mutation ($id: ID!) { deleteView(id: $id) { deletedId } }', { id })
      expect(await fault(send('GET', mine.viewer, `/${id}`))).toEqual([404, 'not_found', 'id'])
    }
  })

  it('are those of one namespace alone', async () => {
    const { id } = await save(mine.admin, { name: 'secret', signal: 'logs', state: { q: 'zqmine' } })
    const view = { signal: 'logs', state: {} }
    expect(await fault(send('GET', theirs.admin, `/${id}`))).toEqual([404, 'not_found', 'id'])
    expect(await fault(send('PUT', theirs.admin, `/${id}`, view))).toEqual([404, 'not_found', 'id'])
    expect(await fault(send('DELETE', theirs.admin, `/${id}`))).toEqual([404, 'not_found', 'id'])
    expect((await list(theirs.admin)).views).toEqual([])
    for (const path of ['', `/${id}`])
      expect(await fault(send('GET', theirs.admin, `${path}?namespace=${mine.namespaceName}`))).toEqual([
        403,
        'namespace_not_allowed',
        undefined
      ])
    expect((await send('GET', mine.viewer, `/${id}`)).json['state']).toEqual({ q: 'zqmine' })
    await send('DELETE', mine.admin, `/${id}`)
  })

  it('are written neither by viewers nor by keys', async () => {
    const { id } = await save(mine.member, { signal: 'logs', state: {} })
    const writes = [
      ['POST', '', { signal: 'logs', state: {} }],
      ['PUT', `/${id}`, { signal: 'logs', state: { q: 'taken' } }],
      ['DELETE', `/${id}`, undefined]
    ] as const
    for (const [method, path, json] of writes) {
      expect((await fault(send(method, mine.viewer, path, json))).slice(0, 2)).toEqual([403, 'role_required'])
      expect((await fault(send(method, mine.queryKey, path, json))).slice(0, 2)).toEqual([403, 'scope_required'])
      expect((await fault(send(method, mine.ingestKey, path, json)))[0]).toBe(403)
    }
    expect((await fault(send('GET', mine.ingestKey, ''))).slice(0, 2)).toEqual([403, 'scope_required'])
    expect((await send('GET', mine.viewer, `/${id}`)).json['state']).toEqual({})
  })

  it('have at most 16 KiB of JSON and a name of 128 characters', async () => {
    const sized = (bytes: number): object => ({ signal: 'logs', state: { q: 'x'.repeat(bytes - '{"q":""}'.length) } })
    const { id } = await save(mine.member, sized(16_384))
    const tooLarge = await send('POST', mine.member, '', sized(16_385))
    expect([tooLarge.status, tooLarge.json['detail']]).toEqual([400, 'state exceeds 16384 bytes of JSON (got 16385)'])
    expect(await fault(send('PUT', mine.member, `/${id}`, sized(16_385)))).toEqual([400, 'invalid_field', 'state'])
    expect((await save(mine.member, { name: 'n'.repeat(128), signal: 'logs', state: {} })).name).toHaveLength(128)
    const longName = { name: 'n'.repeat(129), signal: 'logs', state: {} }
    expect(await fault(send('POST', mine.member, '', longName))).toEqual([400, 'invalid_field', 'name'])
  })

  it('refuse what is not a view, and a page that is not valid', async () => {
    const good = { signal: 'logs', state: {} }
    const bad: readonly (readonly [object, string])[] = [
      [{ state: {} }, 'missing_field'],
      [{ signal: 'logs' }, 'missing_field'],
      [{ ...good, signal: 'LOGS' }, 'invalid_field'],
      [{ ...good, signal: 'alerts' }, 'invalid_field'],
      [{ ...good, name: 5 }, 'invalid_field'],
      [{ ...good, owner: 'me' }, 'invalid_field'],
      ...['text', 5, [1], null].map(state => [{ ...good, state }, 'invalid_field'] as const)
    ]
    const { id } = await save(mine.member, good)
    for (const [body, code] of bad) {
      expect((await fault(send('POST', mine.member, '', body))).slice(0, 2)).toEqual([400, code])
      expect((await fault(send('PUT', mine.member, `/${id}`, body))).slice(0, 2)).toEqual([400, code])
    }
    const place = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const queries = [
      ...['limit=0', `limit=${MAX_VIEWS_OF_PAGE + 1}`, 'limit=many', 'signal=LOGS', 'order=asc', 'cursor=%00', 'cursor='],
      ...[{}, ['a'], ['a', 5], [null, 'a'], ['a\0', 'b'], ['a', ''], ['a', 'b', 'c'], ['a'.repeat(2_000), 'b']].map(
        value => `cursor=${place(value)}`
      )
    ]
    for (const query of queries)
      expect([query, ...(await fault(send('GET', mine.viewer, `?${query}`))).slice(0, 2)]).toEqual([query, 400, 'invalid_field'])
  })

  it('keep a member named __proto__ as data', async () => {
    const json = '{"signal":"logs","state":{"__proto__":{"admin":true},"constructor":{"prototype":1}}}'
    const headers = { authorization: `Bearer ${mine.member}`, 'content-type': 'application/json' }
    const made = await fetch(`${service.url}${VIEWS}`, { method: 'POST', headers, body: json })
    const text = await made.text()
    const { id } = JSON.parse(text) as View
    for (const reply of [text, (await send('GET', mine.viewer, `/${id}`)).text])
      expect(reply).toContain('"state":{"__proto__":{"admin":true},"constructor":{"prototype":1}}')
  })
})

describe('pages of saved views', () => {
  it('have each view once, by name', async () => {
    const admin = await ownNamespace('zqmine-many')
    const names = Array.from({ length: 25 }, (_, i) => `view ${String(i).padStart(4, '0')}`)
    for (const name of names.toReversed()) await save(admin, { name, signal: 'logs', state: { q: name } })
    const seen: (string | null)[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { views, page } = await list(admin, `?limit=10${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.limit).toBe(10)
      seen.push(...views.map(({ name }) => name))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(names)
  })

  it('go on after a view that was deleted meanwhile, and are those of a signal', async () => {
    const admin = await ownNamespace('zqmine-pages')
    const made: View[] = []
    for (const name of ['same', 'same', 'same', 'zz']) made.push(await save(admin, { name, signal: 'logs', state: {} }))
    await save(admin, { name: 'spans', signal: 'spans', state: {} })
    const { views, page } = await list(admin, '?limit=2&signal=logs')
    await send('DELETE', admin, `/${views[1]!.id}`)
    const rest = await list(admin, `?limit=2&signal=logs&cursor=${page.next_cursor}`)
    expect([...views, ...rest.views].map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    expect(rest.page).toEqual({ next_cursor: null, has_more: false, limit: 2 })
  })
})
