import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { SessionPrincipal } from '../../src/access/sessions.js'
import type { NamespaceView } from '../../src/access/views.js'
import type { Role } from '../../src/domain/role.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, PASSWORD, registered } from '../support/open-access.js'

const DAY_MS = 86_400_000

let opened: OpenedAccess
let ada: SessionPrincipal
let team: NamespaceView
beforeEach(async () => {
  opened = await openTestAccess()
  ada = (await registered(opened, 'ada')).principal
  team = await opened.access.namespaces.create(ada, { name: 'team' })
})
afterEach(() => opened.close())

async function invited(name: string, role: Role): Promise<{ principal: SessionPrincipal; refreshToken: string }> {
  opened.clock.pass(1)
  const { token } = await opened.access.invitations.create(ada, team.id, role)
  const { grant, principal } = await registered(opened, name, token)
  return { principal, refreshToken: grant.refreshToken }
}

describe('members of a deleted namespace', () => {
  it('are hidden from all others, with their e-mail addresses, and cannot be changed', async () => {
    const { principal: bob } = await invited('bob', 'viewer')
    const { members, namespaces } = opened.access
    await namespaces.remove(ada, team.id)
    await namespaces.deletionsSettled()
    expect([await members.list(ada, team.id), await members.list(bob, team.id)]).toEqual([[], []])
    const changes = [() => members.setRole(ada, team.id, bob.userId, 'admin'), () => members.remove(bob, team.id, bob.userId)]
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'not_found' })
    const { principal: stranger } = await registered(opened, 'eve')
    await expect(members.list(stranger, team.id)).rejects.toMatchObject({ code: 'namespace_not_allowed' })
  })
})

describe('invitations', () => {
  it('make the one who registers with the token a member, active there', async () => {
    const { principal } = await invited('bob', 'member')
    expect(principal.activeNamespace).toBe(team.id)
    expect((await opened.access.namespaces.list(principal)).map(({ kind }) => kind).sort()).toEqual(['personal', 'team'])
    expect(await opened.access.members.list(ada, team.id)).toMatchObject([
      { user: { email: 'ada@example.com' }, role: 'admin' },
      { user: { email: 'bob@example.com' }, role: 'member' }
    ])
  })

  it('work once, also when two use them at once', async () => {
    const { invitations } = opened.access
    const users = [(await registered(opened, 'bob')).principal, (await registered(opened, 'cem')).principal]
    const { token } = await invitations.create(ada, team.id, 'viewer')
    const both = await Promise.allSettled(users.map(user => invitations.accept(user, token)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await opened.access.members.list(ada, team.id)).toHaveLength(2)
    expect(await invitations.list(ada, team.id)).toEqual([])
  })

  it('can be taken at sign-in by someone who is registered', async () => {
    await registered(opened, 'bob')
    const { token } = await opened.access.invitations.create(ada, team.id, 'viewer')
    const login = { email: 'bob@example.com', password: PASSWORD, address: '::1', invitationToken: token }
    expect(await opened.access.signIn.login(login)).toMatchObject({ namespace: { id: team.id }, role: 'viewer' })
    await expect(opened.access.signIn.login(login)).rejects.toMatchObject({ field: 'invitation_token' })
  })

  it('register no one when the token is bad', async () => {
    await expect(registered(opened, 'bob', 'ali_invite_x')).rejects.toMatchObject({ field: 'invitation_token' })
    expect(await opened.store.users.byEmail('bob@example.com')).toBeNull()
  })

  it('end after 7 days, when they are withdrawn, and with the namespace', async () => {
    const { invitations, namespaces } = opened.access
    const bob = (await registered(opened, 'bob')).principal
    const old = await invitations.create(ada, team.id, 'viewer')
    opened.clock.pass(7 * DAY_MS)
    await expect(invitations.accept(bob, old.token)).rejects.toMatchObject({ field: 'invitation_token' })
    const withdrawn = await invitations.create(ada, team.id, 'viewer')
    await invitations.revoke(ada, team.id, withdrawn.invitation.id)
    await expect(invitations.revoke(ada, team.id, withdrawn.invitation.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(invitations.accept(bob, withdrawn.token)).rejects.toMatchObject({ field: 'invitation_token' })
    const last = await invitations.create(ada, team.id, 'viewer')
    await namespaces.remove(ada, team.id)
    await expect(invitations.accept(bob, last.token)).rejects.toMatchObject({ field: 'invitation_token' })
  })

  it('are bounded in number, and never lower a role', async () => {
    const { invitations, members } = opened.access
    const { token } = await invitations.create(ada, team.id, 'viewer')
    await invitations.accept(ada, token)
    expect((await members.list(ada, team.id))[0]!.role).toBe('admin')
    for (let i = 0; i < 100; i++) await invitations.create(ada, team.id, 'viewer')
    await expect(invitations.create(ada, team.id, 'viewer')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('of an admin who is removed or lowered end with the role', async () => {
    const { invitations, members } = opened.access
    const { principal: bob } = await invited('bob', 'admin')
    const { token } = await invitations.create(bob, team.id, 'admin')
    await members.remove(ada, team.id, bob.userId)
    await expect(invitations.accept(bob, token)).rejects.toMatchObject({ field: 'invitation_token' })
  })
})

describe('roles', () => {
  it('that are lowered bind the very next request, whatever the token contains', async () => {
    const { members, authorizer } = opened.access
    const { principal: bob } = await invited('bob', 'member')
    await authorizer.requireRole(bob, team.id, 'member')
    await members.setRole(ada, team.id, bob.userId, 'viewer')
    await expect(authorizer.requireRole(bob, team.id, 'member')).rejects.toMatchObject({ code: 'role_required' })
    expect(await authorizer.readNamespace(bob, {})).toMatchObject({ id: team.id })
  })

  it('that are taken away bind the very next request and the next refresh', async () => {
    const { members, authorizer, sessions } = opened.access
    const { principal: bob, refreshToken } = await invited('bob', 'member')
    await authorizer.readNamespace(bob, {})
    await members.remove(ada, team.id, bob.userId)
    await expect(authorizer.readNamespace(bob, {})).rejects.toMatchObject({ code: 'namespace_not_allowed' })
    await expect(sessions.switchTo(bob, team.id)).rejects.toMatchObject({ code: 'namespace_not_allowed' })
    const grant = await sessions.refresh(refreshToken, '::1')
    expect(grant.namespace).toMatchObject({ kind: 'personal' })
  })

  it('hold while a change races with a lookup', async () => {
    const { members, authorizer } = opened.access
    const { principal: bob } = await invited('bob', 'member')
    const lookups = Array.from({ length: 20 }, () => authorizer.roleIn(bob, team.id))
    await Promise.all([members.setRole(ada, team.id, bob.userId, 'viewer'), ...lookups])
    expect(await authorizer.roleIn(bob, team.id)).toBe('viewer')
  })

  it('leave at least one admin', async () => {
    const { members } = opened.access
    const { principal: bob } = await invited('bob', 'member')
    await expect(members.remove(ada, team.id, ada.userId)).rejects.toMatchObject({ code: 'conflict' })
    await expect(members.setRole(ada, team.id, ada.userId, 'member')).rejects.toMatchObject({ code: 'conflict' })
    await members.setRole(ada, team.id, bob.userId, 'admin')
    await members.remove(ada, team.id, ada.userId)
    await expect(members.remove(bob, team.id, bob.userId)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('are changed by admins; anybody else may only leave', async () => {
    const { members, audit, invitations } = opened.access
    const { principal: bob } = await invited('bob', 'member')
    const { principal: cem } = await invited('cem', 'viewer')
    await expect(members.setRole(bob, team.id, bob.userId, 'admin')).rejects.toMatchObject({ code: 'role_required' })
    await expect(members.remove(bob, team.id, cem.userId)).rejects.toMatchObject({ code: 'role_required' })
    await expect(invitations.create(bob, team.id, 'viewer')).rejects.toMatchObject({ code: 'role_required' })
    await expect(audit.list(bob, team.id, { limit: 1 })).rejects.toMatchObject({ code: 'role_required' })
    await expect(members.setRole(ada, team.id, 'absent', 'viewer')).rejects.toMatchObject({ code: 'not_found' })
    await members.remove(cem, team.id, cem.userId)
    expect(new Set((await members.list(bob, team.id)).map(({ user }) => user.name))).toEqual(new Set(['ada', 'bob']))
    const { entries } = await audit.list(ada, team.id, { limit: 1 })
    expect(entries).toMatchObject([{ action: 'member.removed', actor: cem.userId, target: cem.userId }])
  })
})

describe('switching', () => {
  it('gives tokens for the other namespace in the same session', async () => {
    const { sessions } = opened.access
    const grant = await sessions.switchTo(ada, team.id)
    const there = await sessions.verify(grant.accessToken)
    expect(there).toEqual({ ...ada, activeNamespace: team.id })
    await sessions.logout(grant.refreshToken, '::1')
    await expect(sessions.verify(grant.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
  })
})

it('a user without a membership is still shown to themself', async () => {
  const bob = (await registered(opened, 'bob')).principal
  const { namespaces, members } = opened.access
  await namespaces.remove(bob, bob.activeNamespace)
  await namespaces.deletionsSettled()
  expect(await namespaces.list(bob)).toEqual([])
  const createdAtMs = opened.clock.nowMs()
  expect(await members.self(bob)).toEqual({ id: bob.userId, email: 'bob@example.com', name: 'bob', createdAtMs })
})
