import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CreateNamespaceDocument } from '../fixtures/generated/graphql.js'
import { queryGraphql, postGraphql, runOperation } from '../support/graphql-client.js'
import type { RunningService } from '../support/running-service.js'
import { type Credential, startTeamService, codeOf, register } from '../support/team-service.js'

const TOTAL = '{ logs(range: { from: "now-1h" }) { total { value } nodes { message } } }'
let service: RunningService
let admin: Credential
let guest: Credential
let teamId: string

function inTeam(credential: Credential): Credential {
  return { ...credential, 'x-namespace-id': teamId }
}

beforeAll(async () => {
  ;({ service, admin, guest, teamId } = await startTeamService())
})

afterAll(() => service?.close())

describe('isolation', () => {
  it('shows a canary to its own namespace and to no other', async () => {
    const sent = await service.api('/api/v1/logs?ack=searchable', {
      method: 'POST',
      headers: { 'x-api-key': service.first.ingestKey },
      json: { message: 'canary of the default namespace' }
    })
    expect(sent.status).toBe(200)
    const own = await postGraphql<{ logs: { nodes: unknown[] } }>(service.url, { query: TOTAL }, admin)
    expect(own.text).toMatch(/canary/)
    const id = (
      await queryGraphql<{ logs: { nodes: { id: string }[] } }>(
        service.url,
        '{ logs(range: { from: "now-1h" }) { nodes { id } } }',
        {},
        admin
      )
    ).logs.nodes[0]!.id
    for (const other of [guest, inTeam(admin)]) {
      expect((await postGraphql(service.url, { query: TOTAL }, other)).text).not.toMatch(/canary/)
      expect(await queryGraphql(service.url, 'query L($id: ID!) { log(id: $id) { message } }', { id }, other)).toEqual({
        log: null
      })
    }
  })
})

describe('a namespace that is deleted', () => {
  it('needs its name to be repeated, then is gone, and its members go elsewhere', async () => {
    const made = await runOperation(service.url, CreateNamespaceDocument, { name: 'short-lived' }, admin)
    const { id } = made.createNamespace.namespace!
    const switchTo = 'mutation S($id: ID!) { switchNamespace(id: $id) { accessToken userErrors { code } } }'
    type Switched = { switchNamespace: { accessToken: string } }
    const { switchNamespace } = await queryGraphql<Switched>(service.url, switchTo, { id }, admin)
    const inside = { authorization: `Bearer ${switchNamespace.accessToken}` }
    const remove =
      'mutation D($id: ID!, $name: String!) { deleteNamespace(id: $id, confirmName: $name) { deletedId userErrors { code field } } }'
    expect(await queryGraphql(service.url, remove, { id, name: 'short' }, inside)).toEqual({
      deleteNamespace: { deletedId: null, userErrors: [{ code: 'INVALID', field: ['confirmName'] }] }
    })
    expect(await queryGraphql(service.url, remove, { id, name: 'short-lived' }, inside)).toEqual({
      deleteNamespace: { deletedId: id, userErrors: [] }
    })
    expect(await codeOf(service, '{ namespace { name } }', inside)).toEqual([200, 'not_found'])
    const back = await queryGraphql<Switched>(service.url, switchTo, { id: teamId }, inside)
    expect(back.switchNamespace.accessToken).toEqual(expect.any(String))
    const again = await runOperation(service.url, CreateNamespaceDocument, { name: 'short-lived' }, admin)
    expect(again.createNamespace.namespace).toBeNull()
    // Taken while its data is being removed behind the response, retired from then on.
    expect(['TAKEN', 'NAME_RETIRED']).toContain(again.createNamespace.userErrors[0]?.code)
  })
})

describe('a user', () => {
  const REQUEST = '{ viewer { principal { id ... on User { email createdAt } } } }'
  interface Result {
    readonly viewer: { readonly principal: { id: string; email: string; createdAt: string } }
  }

  it('whose only namespace is deleted still sees their account', async () => {
    const lonely = await register(service, 'lonely@shop.test')
    const before = await queryGraphql<Result & { namespace: { id: string; name: string } }>(
      service.url,
      '{ viewer { principal { id } } namespace { id name } }',
      {},
      lonely
    )
    const { id, name } = before.namespace
    await queryGraphql(service.url, `mutation { deleteNamespace(id: "${id}", confirmName: "${name}") { deletedId } }`, {}, lonely)
    const { viewer } = await queryGraphql<Result>(service.url, REQUEST, {}, lonely)
    expect(viewer).toMatchObject({ principal: { id: before.viewer.principal.id, email: 'lonely@shop.test' } })
    expect(Date.parse(viewer.principal.createdAt)).toBeGreaterThan(Date.now() - 60_000)
  })
})
