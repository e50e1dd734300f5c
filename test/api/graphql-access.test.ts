import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  AcceptInvitationDocument,
  CreateApiKeyDocument,
  CreateNamespaceDocument,
  InviteMemberDocument,
  NamespaceAdminDocument,
  RevokeApiKeyDocument,
  SessionDocument
} from '../fixtures/generated/graphql.js'
import { queryGraphql, postGraphql, runOperation } from '../support/graphql-client.js'
import type { RunningService } from '../support/running-service.js'
import { type Credential, startTeamService, codeOf } from '../support/team-service.js'

const RANGE = { from: 'now-2d' }
const TOTAL = '{ logs(range: { from: "now-1h" }) { total { value } nodes { message } } }'
let service: RunningService
let admin: Credential
let guest: Credential
let guestId: string
let teamId: string

function inTeam(credential: Credential): Credential {
  return { ...credential, 'x-namespace-id': teamId }
}

beforeAll(async () => {
  ;({ service, admin, guest, guestId, teamId } = await startTeamService())
})

afterAll(() => service?.close())

describe('namespaces', () => {
  it('state next to a null object why a name is refused', async () => {
    const taken = await runOperation(service.url, CreateNamespaceDocument, { name: 'shop-team' }, admin)
    expect(taken.createNamespace).toMatchObject({ namespace: null, userErrors: [{ code: 'TAKEN' }] })
    const invalid = await runOperation(service.url, CreateNamespaceDocument, { name: 'Not A Name' }, admin)
    expect(invalid.createNamespace.userErrors).toMatchObject([{ code: 'INVALID', field: ['name'] }])
  })

  it('of others are refused, by header and by id', async () => {
    expect(await codeOf(service, '{ namespace { name } }', inTeam(guest))).toEqual([403, 'namespace_not_allowed'])
    expect(await codeOf(service, '{ namespace { name } }', { ...guest, 'x-namespace-id': 'unknownunknown' })).toEqual([
      403,
      'namespace_not_allowed'
    ])
    expect(await codeOf(service, `mutation { switchNamespace(id: "${teamId}") { accessToken } }`, guest)).toEqual([
      200,
      'namespace_not_allowed'
    ])
    expect(
      await codeOf(service, `mutation { deleteNamespace(id: "${teamId}", confirmName: "shop-team") { deletedId } }`, guest)
    ).toEqual([200, 'namespace_not_allowed'])
  })

  it('of a member are selected by header, and by a token after switching', async () => {
    const mine = await postGraphql(service.url, { query: '{ namespace { name } }' }, inTeam(admin))
    expect(mine.data).toEqual({ namespace: { name: 'shop-team' } })
    expect(mine.headers.get('x-resolved-namespace')).toBe('shop-team')
    const { switchNamespace } = await queryGraphql<{ switchNamespace: { accessToken: string; namespace: { id: string } } }>(
      service.url,
      'mutation S($id: ID!) { switchNamespace(id: $id) { accessToken namespace { id } userErrors { code } } }',
      { id: teamId },
      admin
    )
    const switched = { authorization: `Bearer ${switchNamespace.accessToken}` }
    expect(await queryGraphql(service.url, '{ viewer { namespace { name } role } }', {}, switched)).toEqual({
      viewer: { namespace: { name: 'shop-team' }, role: 'ADMIN' }
    })
  })

  it('are not memberships any more from the moment of their deletion', async () => {
    const { createNamespace } = await runOperation(service.url, CreateNamespaceDocument, { name: 'ephemeral' }, admin)
    const { id } = createNamespace.namespace!
    const listed = '{ viewer { memberships { namespace { name } } } }'
    expect(JSON.stringify(await queryGraphql(service.url, listed, {}, admin))).toContain('ephemeral')
    const remove = 'mutation D($id: ID!) { deleteNamespace(id: $id, confirmName: "ephemeral") { deletedId } }'
    expect(await queryGraphql(service.url, remove, { id }, admin)).toEqual({ deleteNamespace: { deletedId: id } })
    expect(JSON.stringify(await queryGraphql(service.url, listed, {}, admin))).not.toContain('ephemeral')
  })

  it('change their retention, and refuse one that is invalid', async () => {
    const change =
      'mutation R($input: RetentionInput!) { setRetention(input: $input) { namespace { retention { logs metrics } } userErrors { code } } }'
    const set = await queryGraphql(service.url, change, { input: { logs: '2d', metrics: 'forever' } }, inTeam(admin))
    expect(set).toEqual({ setRetention: { namespace: { retention: { logs: '2d', metrics: null } }, userErrors: [] } })
    const refused = await queryGraphql(service.url, change, { input: { logs: 'soon' } }, inTeam(admin))
    expect(refused).toEqual({ setRetention: { namespace: null, userErrors: [{ code: 'INVALID' }] } })
  })

  it('change how substrings are found', async () => {
    const change =
      'mutation { setSubstringSearch(search: OFF) { namespace { storage { placement search } } userErrors { code } } }'
    expect(await queryGraphql(service.url, change, {}, inTeam(admin))).toEqual({
      setSubstringSearch: { namespace: { storage: { placement: 'DEDICATED', search: 'OFF' } }, userErrors: [] }
    })
  })
})

describe('members', () => {
  it('join by invitation, once, with the role of the invitation', async () => {
    const { inviteMember } = await runOperation(service.url, InviteMemberDocument, { role: 'VIEWER' }, inTeam(admin))
    const token = inviteMember.token!
    const { acceptInvitation } = await runOperation(service.url, AcceptInvitationDocument, { token }, guest)
    expect(acceptInvitation).toEqual({
      membership: { role: 'VIEWER', namespace: { id: teamId, name: 'shop-team' }, user: { email: 'guest@shop.test' } },
      userErrors: []
    })
    const again = await runOperation(service.url, AcceptInvitationDocument, { token }, guest)
    expect(again.acceptInvitation.userErrors).toMatchObject([{ code: 'INVALID' }])
  })

  it('who only view can read and can change nothing', async () => {
    expect(
      await queryGraphql(
        service.url,
        '{ viewer { role } logs(range: { from: "now-1h" }) { total { value } } }',
        {},
        inTeam(guest)
      )
    ).toEqual({
      viewer: { role: 'VIEWER' },
      logs: { total: { value: 0 } }
    })
    const mutations = [
      'inviteMember(role: VIEWER) { token }',
      'createApiKey(input: { name: "k", kind: INGEST }) { secret }',
      'setRetention(input: { logs: "1d" }) { namespace { id } }',
      'setSubstringSearch(search: EXACT) { namespace { id } }',
      `setMemberRole(userId: "${guestId}", role: ADMIN) { membership { role } }`,
      `deleteNamespace(id: "${teamId}", confirmName: "shop-team") { deletedId }`
    ]
    for (const mutation of mutations)
      expect(await codeOf(service, `mutation { ${mutation} }`, inTeam(guest))).toEqual([200, 'role_required'])
    expect(
      await queryGraphql(
        service.url,
        '{ namespace { apiKeys { id } invitations { id } auditLog { nodes { id } } } }',
        {},
        inTeam(guest)
      )
    ).toEqual({
      namespace: { apiKeys: null, invitations: null, auditLog: null }
    })
  })
})

describe('members of a team', () => {
  it('gain a role at once, and the last admin stays', async () => {
    const role =
      'mutation R($id: ID!, $role: Role!) { setMemberRole(userId: $id, role: $role) { membership { role } userErrors { code } } }'
    await queryGraphql(service.url, role, { id: guestId, role: 'MEMBER' }, inTeam(admin))
    expect(await queryGraphql(service.url, '{ viewer { role } }', {}, inTeam(guest))).toEqual({ viewer: { role: 'MEMBER' } })
    const { viewer } = await runOperation(service.url, SessionDocument, {}, admin)
    const last = await queryGraphql(service.url, role, { id: viewer.principal.id, role: 'VIEWER' }, inTeam(admin))
    expect(last).toEqual({ setMemberRole: { membership: null, userErrors: [{ code: 'LAST_ADMIN' }] } })
  })

  it('are listed with usage, keys and audit log for an admin, page by page', async () => {
    const { namespace } = await runOperation(service.url, NamespaceAdminDocument, { range: RANGE }, inTeam(admin))
    expect(namespace.members.totalCount).toBe(2)
    expect(namespace.members.nodes.map(({ user }) => user.email)).toContain('guest@shop.test')
    expect(namespace.auditLog!.nodes.length).toBeGreaterThan(2)
    const first = await queryGraphql<{ namespace: { members: { pageInfo: { endCursor: string } } } }>(
      service.url,
      '{ namespace { members(first: 1) { pageInfo { hasNextPage endCursor } } } }',
      {},
      inTeam(admin)
    )
    const after = first.namespace.members.pageInfo.endCursor
    const second = await queryGraphql(
      service.url,
      'query M($after: String) { namespace { members(first: 1, after: $after) { nodes { user { email } } pageInfo { hasNextPage hasPreviousPage } } } }',
      { after },
      inTeam(admin)
    )
    expect(second).toMatchObject({ namespace: { members: { pageInfo: { hasNextPage: false, hasPreviousPage: true } } } })
  })

  it('lose their access at once', async () => {
    await queryGraphql(
      service.url,
      'mutation R($id: ID!) { removeMember(userId: $id) { deletedId } }',
      { id: guestId },
      inTeam(admin)
    )
    expect(await codeOf(service, '{ namespace { name } }', inTeam(guest))).toEqual([403, 'namespace_not_allowed'])
  })
})

describe('API keys', () => {
  it('are shown once, work, rotate and end', async () => {
    const input = { name: 'dash', kind: 'QUERY' as const }
    const { createApiKey } = await runOperation(service.url, CreateApiKeyDocument, { input }, inTeam(admin))
    const { id } = createApiKey.apiKey!
    expect(createApiKey.apiKey).toMatchObject({ kind: 'QUERY', state: 'ACTIVE', namespaces: [{ id: teamId }] })
    const key = { 'x-api-key': createApiKey.secret! }
    expect(
      await queryGraphql(
        service.url,
        '{ viewer { role principal { __typename } memberships { id } namespace { name } } }',
        {},
        key
      )
    ).toEqual({
      viewer: { role: 'VIEWER', principal: { __typename: 'ApiKeyPrincipal' }, memberships: [], namespace: { name: 'shop-team' } }
    })
    const rotated = await queryGraphql<{ rotateApiKey: { secret: string } }>(
      service.url,
      'mutation R($id: ID!) { rotateApiKey(id: $id, overlap: "1h") { secret apiKey { state } userErrors { code } } }',
      { id },
      inTeam(admin)
    )
    expect(rotated.rotateApiKey).toMatchObject({ apiKey: { state: 'ROTATING' } })
    expect((await postGraphql(service.url, { query: TOTAL }, key)).status).toBe(200)
    await runOperation(service.url, RevokeApiKeyDocument, { id }, inTeam(admin))
    expect(await codeOf(service, TOTAL, { 'x-api-key': rotated.rotateApiKey.secret })).toEqual([401, 'invalid_credential'])
  })

  it('describe themselves, but not who made them, and their life to admins', async () => {
    const input = { name: 'self', kind: 'QUERY' as const }
    const { createApiKey } = await runOperation(service.url, CreateApiKeyDocument, { input }, inTeam(admin))
    const { id } = createApiKey.apiKey!
    const self =
      '{ viewer { principal { id ... on ApiKeyPrincipal { key { id name revokedAt createdBy { id } namespaces { id } } } } } }'
    expect(await queryGraphql(service.url, self, {}, { 'x-api-key': createApiKey.secret! })).toEqual({
      viewer: {
        principal: { id, key: { id, name: 'self', revokedAt: null, createdBy: null, namespaces: [{ id: teamId }] } }
      }
    })
    await runOperation(service.url, RevokeApiKeyDocument, { id }, inTeam(admin))
    const { namespace } = await queryGraphql<{ namespace: { apiKeys: { id: string; revokedAt: string | null }[] } }>(
      service.url,
      '{ namespace { apiKeys { id revokedAt } } }',
      {},
      inTeam(admin)
    )
    expect(Date.parse(namespace.apiKeys.find(key => key.id === id)!.revokedAt!)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('of kind query read and manage nothing; those of other kinds read nothing', async () => {
    const { createApiKey } = await runOperation(
      service.url,
      CreateApiKeyDocument,
      { input: { name: 'q', kind: 'QUERY' } },
      inTeam(admin)
    )
    const key = { 'x-api-key': createApiKey.secret! }
    expect(await codeOf(service, 'mutation { createNamespace(name: "x-y") { namespace { id } } }', key)).toEqual([
      200,
      'scope_required'
    ])
    expect(await codeOf(service, '{ namespace { members { totalCount } } }', key)).toEqual([200, 'scope_required'])
    expect(await codeOf(service, TOTAL, { 'x-api-key': service.first.ingestKey })).toEqual([403, 'scope_required'])
    expect(await codeOf(service, TOTAL, {})).toEqual([401, 'missing_credential'])
  })
})
