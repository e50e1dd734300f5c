import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, type Tenant } from '../support/tenants.js'

const SAVE = `mutation ($id: ID, $input: SavedViewInput!) { saveView(id: $id, input: $input) {
  savedView { id name signal state createdBy { email } updatedAt } userErrors { code field message } } }`
const FIND = 'query ($id: ID!) { savedView(id: $id) { name state } }'

interface Saved {
  readonly savedView: { readonly id: string } | null
  readonly userErrors: readonly { readonly code: string; readonly field: readonly string[] | null }[]
}

let service: RunningService
let mine: Tenant
let theirs: Tenant

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  mine = await createTenant(service, 'zqmine')
  theirs = await createTenant(service, 'zqtheirs')
}, 240_000)
afterAll(() => service?.close())

async function request<Data>(token: string, query: string, variables: object = {}) {
  return postGraphql<Data>(service.url, { query, variables }, { authorization: `Bearer ${token}` })
}
async function save(token: string, input: object, id?: string): Promise<Saved> {
  const { data, text } = await request<{ saveView: Saved }>(token, SAVE, { id, input })
  if (!data?.saveView) throw new Error(text)
  return data.saveView
}

describe('saved views', () => {
  it('are stored, listed by name, replaced and deleted by members, and read by viewers and keys', async () => {
    const state = { q: 'level:error', nested: { list: [1, 'two', null, true] }, ['__proto__x']: 1 }
    const { savedView: made } = await save(mine.member, { name: ' Errors ', signal: 'LOGS', state })
    expect(made).toMatchObject({ name: 'Errors', signal: 'LOGS', state, updatedAt: expect.stringMatching(/Z$/) })
    const { savedView: link } = await save(mine.member, { signal: 'SPANS', state: {} })
    const list = '{ all: savedViews { name } spans: savedViews(signal: SPANS) { name } }'
    for (const token of [mine.viewer, mine.queryKey]) {
      expect((await request(token, list)).data).toEqual({ all: [{ name: 'Errors' }], spans: [] })
      expect((await request(token, FIND, { id: link!.id })).data).toEqual({ savedView: { name: null, state: {} } })
    }
    const creator = (made as unknown as { createdBy: object }).createdBy
    expect(creator).toEqual({ email: expect.stringContaining('member') })
    const { savedView: replaced } = await save(mine.admin, { name: 'Faults', signal: 'LOGS', state: { q: 'x' } }, made!.id)
    expect(replaced).toMatchObject({ createdBy: creator })
    expect((await request(mine.viewer, FIND, { id: made!.id })).data).toEqual({
      savedView: { name: 'Faults', state: { q: 'x' } }
    })
    const remove = 'mutation ($id: ID!) { deleteView(id: $id) { deletedId userErrors { code } } }'
    expect((await request(mine.member, remove, { id: made!.id })).data).toEqual({
      deleteView: { deletedId: made!.id, userErrors: [] }
    })
    expect((await request(mine.member, remove, { id: made!.id })).data).toEqual({
      deleteView: { deletedId: null, userErrors: [{ code: 'NOT_FOUND' }] }
    })
    expect((await request(mine.viewer, FIND, { id: made!.id })).data).toEqual({ savedView: null })
  })

  it('keep a member named __proto__ as data', async () => {
    const query = 'mutation { saveView(input: { signal: LOGS, state: { __proto__: { admin: true } } }) { savedView { state } } }'
    const { data } = await request<{ saveView: { savedView: { state: object } } }>(mine.admin, query)
    expect(JSON.stringify(data!.saveView.savedView.state)).toBe('{"__proto__":{"admin":true}}')
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('are those of one namespace alone', async () => {
    const { savedView } = await save(mine.admin, { name: 'secret', signal: 'LOGS', state: { q: 'zqmine' } })
    expect((await request(theirs.admin, FIND, { id: savedView!.id })).data).toEqual({ savedView: null })
    expect((await request(theirs.admin, '{ savedViews { name } }')).data).toEqual({ savedViews: [] })
    expect((await save(theirs.admin, { signal: 'LOGS', state: {} }, savedView!.id)).userErrors).toMatchObject([
      { code: 'NOT_FOUND', field: ['id'] }
    ])
  })

  it('have at most 16 KiB of JSON and a name of 128 characters, and are objects', async () => {
    const sized = (bytes: number): object => ({ signal: 'LOGS', state: { q: 'x'.repeat(bytes - '{"q":""}'.length) } })
    expect((await save(mine.member, sized(16_384))).userErrors).toEqual([])
    expect((await save(mine.member, sized(16_385))).userErrors).toMatchObject([{ code: 'INVALID', field: ['state'] }])
    expect((await save(mine.member, { name: 'n'.repeat(129), signal: 'LOGS', state: {} })).userErrors).toMatchObject([
      { code: 'INVALID', field: ['name'] }
    ])
    for (const state of ['text', 5, [1], null]) {
      const refused = await request(mine.member, SAVE, { input: { signal: 'LOGS', state } })
      expect([refused.status, refused.errors.length]).toEqual([400, 1])
    }
  })

  it('are refused to viewers, and written to the audit log', async () => {
    const refused = await request(mine.viewer, SAVE, { input: { signal: 'LOGS', state: {} } })
    expect(refused.errors[0]!.extensions['code']).toBe('role_required')
    const audit = await service.api(`/api/v1/namespaces/${mine.namespaceId}/audit`, {
      headers: { authorization: `Bearer ${mine.admin}` }
    })
    expect(audit.text).toContain('saved_view.saved')
    expect(audit.text).toContain('saved_view.deleted')
  })
})

describe('preferences', () => {
  const set = 'mutation ($p: JSONObject!) { setPreferences(preferences: $p) { preferences userErrors { code field } } }'

  it('are those of the user in every namespace, and of no one else', async () => {
    const preferences = { theme: 'dark', density: 2 }
    expect((await request(mine.viewer, set, { p: preferences })).data).toEqual({
      setPreferences: { preferences, userErrors: [] }
    })
    expect((await request(mine.viewer, '{ viewer { preferences } }')).data).toEqual({ viewer: { preferences } })
    for (const token of [mine.member, theirs.viewer, mine.queryKey]) {
      expect((await request(token, '{ viewer { preferences } }')).data).toEqual({ viewer: { preferences: {} } })
    }
  })

  it('have at most 16 KiB, and keys have none', async () => {
    const large = await request<{ setPreferences: Saved }>(mine.viewer, set, { p: { q: 'x'.repeat(16_384) } })
    expect(large.data!.setPreferences.userErrors).toMatchObject([{ code: 'INVALID', field: ['preferences'] }])
    const refused = await request(mine.queryKey, set, { p: {} })
    expect(refused.errors[0]!.extensions['code']).toBe('scope_required')
  })
})
