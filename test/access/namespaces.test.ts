import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openAccess } from '../../src/access/access.js'
import { NAME_HELD_MS } from '../../src/domain/namespace.js'
import type { SessionPrincipal } from '../../src/access/sessions.js'
import type { NamespaceView } from '../../src/access/views.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, registered } from '../support/open-access.js'

const DAY_MS = 86_400_000

let opened: OpenedAccess
let ada: SessionPrincipal
let eve: SessionPrincipal
let team: NamespaceView
beforeEach(async () => {
  opened = await openTestAccess()
  ada = (await registered(opened, 'ada')).principal
  eve = (await registered(opened, 'eve')).principal
  team = await opened.access.namespaces.create(ada, { name: 'team', retention: { logs: 'forever', rum: '1h30m' } })
})
afterEach(() => opened.close())

describe('making and showing namespaces', () => {
  it('gives the maker the role admin and the retention that was requested', async () => {
    expect(team).toMatchObject({ name: 'team', kind: 'team', state: 'active', role: 'admin' })
    expect(team.retention).toMatchObject({ logs: null, rum: 5_400_000, metrics: 30 * DAY_MS })
    const names = (await opened.access.namespaces.list(ada)).map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    expect(names).toContain('team')
    expect(await opened.access.namespaces.get(ada, team.id)).toEqual(team)
  })

  it('takes a name where an id is requested, and an id for a name', async () => {
    const { namespaces, members, usage, authorizer } = opened.access
    expect(await namespaces.get(ada, 'team')).toEqual(team)
    expect(await members.list(ada, 'team')).toHaveLength(1)
    expect(await usage.of(ada, 'team', {})).toMatchObject({ rows: [] })
    for (const requested of [{ id: 'team' }, { name: team.id }, { id: 'team', name: team.id }])
      expect(await authorizer.readNamespace(ada, requested)).toMatchObject({ id: team.id })
  })

  it('refuses a name that is the id of a namespace, which would then mean another one', async () => {
    await expect(opened.access.namespaces.create(eve, { name: team.id })).rejects.toMatchObject({ code: 'name_taken' })
    expect(await opened.access.authorizer.readNamespace(ada, { name: team.id })).toMatchObject({ id: team.id })
  })

  it('refuses bad names, taken names and the name that is reserved for operators', async () => {
    const { namespaces } = opened.access
    for (const name of ['', 'Team', '-team', 'a b', 'a'.repeat(64)]) {
      await expect(namespaces.create(ada, { name })).rejects.toMatchObject({ code: 'invalid_field', field: 'name' })
    }
    await expect(namespaces.create(eve, { name: 'team' })).rejects.toMatchObject({ code: 'name_taken' })
    await expect(namespaces.create(eve, { name: 'default' })).rejects.toMatchObject({ code: 'name_reserved' })
  })

  it('responds alike for unknown namespaces and for those of others', async () => {
    const { namespaces, members, audit, usage, invitations, authorizer } = opened.access
    const responses = new Set<string>()
    for (const id of [team.id, 'team', 'nosuchnamespaceid', '../etc', '']) {
      const requests = [
        namespaces.get(eve, id),
        namespaces.setRetention(eve, id, { logs: '1d' }),
        namespaces.remove(eve, id),
        members.list(eve, id),
        members.setRole(eve, id, ada.userId, 'viewer'),
        members.remove(eve, id, ada.userId),
        invitations.create(eve, id, 'admin'),
        audit.list(eve, id, { limit: 1 }),
        usage.of(eve, id, {}),
        authorizer.readNamespace(eve, { id })
      ]
      const refusals = requests.map(request =>
        request.then(String, (error: { code: string; message: string }) => `${error.code} ${error.message}`)
      )
      for (const refusal of await Promise.all(refusals)) responses.add(refusal)
    }
    for (const name of ['team', 'no-such-name']) {
      await authorizer
        .readNamespace(eve, { name })
        .catch((error: { code: string; message: string }) => responses.add(`${error.code} ${error.message}`))
    }
    expect([...responses]).toEqual(['namespace_not_allowed you are not a member of this namespace, or it does not exist'])
  })

  it('shows all of the installation, with sizes, to operators alone', async () => {
    const { access, first } = opened
    await expect(access.namespaces.listAll(ada)).rejects.toMatchObject({ code: 'role_required' })
    const grant = await access.signIn.login({ email: first.email, password: first.password!, address: '::1' })
    const operator = await access.sessions.verify(grant.accessToken)
    expect((await access.namespaces.listAll(operator)).namespaces).toHaveLength(4)
    await expect(access.authorizer.readNamespace(operator, { name: 'team' })).rejects.toMatchObject({
      code: 'namespace_not_allowed'
    })
  })
})

describe('retention', () => {
  it('changes the signals that are named and leaves the others', async () => {
    const changed = await opened.access.namespaces.setRetention(ada, team.id, { logs: '1d', errors: 'forever' })
    expect(changed.retention).toEqual({ ...team.retention, logs: DAY_MS, errors: null })
    expect(opened.access.directory.byId(team.id)?.retention).toEqual(changed.retention)
  })

  it('names every text that is wrong', async () => {
    const wrong = { logs: 'soon', rum: '59s', errors: '101y', metrics: '1d' }
    await expect(opened.access.namespaces.setRetention(ada, team.id, wrong)).rejects.toMatchObject({
      code: 'invalid_field',
      errors: [{ field: 'retention.logs' }, { field: 'retention.rum' }, { field: 'retention.errors' }]
    })
    expect((await opened.access.namespaces.get(ada, team.id)).retention).toEqual(team.retention)
  })
})

describe('how a namespace is stored', () => {
  async function operator(): Promise<SessionPrincipal> {
    const { email, password } = opened.first
    const grant = await opened.access.signIn.login({ email, password: password!, address: 'local' })
    return opened.access.sessions.verify(grant.accessToken)
  }

  it('depends on its kind unless it was chosen', async () => {
    const { namespaces } = opened.access
    expect(team.storage).toEqual({ placement: 'dedicated', search: 'exact' })
    const personal = (await namespaces.list(ada)).find(({ kind }) => kind === 'personal')
    expect(personal?.storage).toEqual({ placement: 'pooled', search: 'exact' })
    const pooled = await namespaces.create(await operator(), { name: 'pooled', storage: { placement: 'pooled' } })
    expect(pooled.storage).toEqual({ placement: 'pooled', search: 'exact' })
  })

  it('is for operators to place, while admins choose the search too', async () => {
    const { namespaces, directory } = opened.access
    const placed = namespaces.create(ada, { name: 'placed', storage: { placement: 'pooled' } })
    await expect(placed).rejects.toMatchObject({ code: 'role_required' })
    const quiet = await namespaces.create(ada, { name: 'quiet', storage: { search: 'off' } })
    expect(quiet.storage).toEqual({ placement: 'dedicated', search: 'off' })
    expect((await namespaces.setSearch(ada, quiet.id, 'approximate')).storage.search).toBe('approximate')
    expect(await namespaces.setSearch(await operator(), quiet.id, 'exact')).toMatchObject({ role: null })
    expect(directory.byId(quiet.id)?.storage).toEqual({ placement: 'dedicated', search: 'exact' })
  })

  it('is not for others to change, and not after the deletion', async () => {
    const { namespaces } = opened.access
    for (const id of [team.id, 'nosuchnamespaceid']) {
      await expect(namespaces.setSearch(eve, id, 'off')).rejects.toMatchObject({ code: 'namespace_not_allowed' })
    }
    const unknown = namespaces.setSearch(await operator(), 'nosuchnamespaceid', 'off')
    await expect(unknown).rejects.toMatchObject({ code: 'namespace_not_allowed' })
    await namespaces.remove(ada, team.id)
    await expect(namespaces.setSearch(ada, team.id, 'off')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('deleting a namespace', () => {
  it('refuses reads and writes at once and then removes the data', async () => {
    const { access, dropped } = opened
    const { secret } = await access.apiKeys.create(ada, { name: 'k', kind: 'ingest', namespaces: [team.id] })
    const key = await access.keys.verify(secret, '::1')
    expect(await access.namespaces.remove(ada, team.id)).toMatchObject({ state: 'deleting' })
    await expect(access.authorizer.readNamespace(ada, { id: team.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(access.authorizer.writeNamespace(key, {})).rejects.toMatchObject({ code: 'namespace_deleted' })
    await expect(access.authorizer.writeNamespace(key, { name: 'team' })).rejects.toMatchObject({ code: 'namespace_deleted' })
    await access.namespaces.deletionsSettled()
    expect(dropped).toEqual([team.id])
    expect((await access.namespaces.get(ada, team.id)).state).toBe('deleted')
    expect((await access.namespaces.list(ada)).map(({ name }) => name)).not.toContain('team')
    await expect(access.namespaces.setRetention(ada, team.id, { logs: '1d' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is for admins and drops the data once, however often it is called', async () => {
    const { access, dropped } = opened
    const { token } = await access.invitations.create(ada, team.id, 'member')
    await access.invitations.accept(eve, token)
    await expect(access.namespaces.remove(eve, team.id)).rejects.toMatchObject({ code: 'role_required' })
    await Promise.all([access.namespaces.remove(ada, team.id), access.namespaces.remove(ada, team.id)])
    await access.namespaces.deletionsSettled()
    await access.namespaces.remove(ada, team.id)
    expect(dropped).toEqual([team.id])
  })

  it('holds the name for 90 days, and longer while a key of it is in use', async () => {
    const { access, clock } = opened
    const { secret } = await access.apiKeys.create(ada, { name: 'k', kind: 'ingest', namespaces: [team.id] })
    await access.namespaces.remove(ada, team.id)
    await access.namespaces.deletionsSettled()
    await expect(access.namespaces.create(eve, { name: 'team' })).rejects.toMatchObject({ code: 'name_reserved' })
    clock.pass(NAME_HELD_MS - 1)
    await access.keys.verify(secret, '::1')
    await access.housekeeping()
    clock.pass(NAME_HELD_MS - 1)
    await expect(access.namespaces.create(eve, { name: 'team' })).rejects.toMatchObject({ code: 'name_reserved' })
    clock.pass(1)
    const theirs = await access.namespaces.create(eve, { name: 'team' })
    expect(access.directory.byName('team')?.id).toBe(theirs.id)
    const key = await access.keys.verify(secret, '::1')
    await expect(access.authorizer.writeNamespace(key, { name: 'team' })).rejects.toMatchObject({ code: 'namespace_deleted' })
  })
})

describe('a deletion', () => {
  it('is carried on with after a fault, and at the next start', async () => {
    await opened.close()
    opened = await openTestAccess({ dropData: () => Promise.reject(new Error('the engine is away')) })
    ada = (await registered(opened, 'ada')).principal
    const ns = ada.activeNamespace
    await opened.access.namespaces.remove(ada, ns)
    await opened.access.namespaces.deletionsSettled()
    await opened.access.housekeeping()
    await opened.access.namespaces.deletionsSettled()
    expect(opened.faults).toHaveLength(2)
    expect(opened.access.directory.byId(ns)?.state).toBe('deleting')
    const dropped: string[] = []
    const next = await openAccess({
      ...opened.deps,
      dropData: ns => {
        dropped.push(ns)
        return Promise.resolve()
      }
    })
    await next.namespaces.deletionsSettled()
    expect([dropped, next.directory.byId(ns)?.state]).toEqual([[ns], 'deleted'])
  })

  it('leaves its users able to sign in: who has none left gets a personal namespace again', async () => {
    const { access } = opened
    const { grant, principal } = await registered(opened, 'cem')
    await access.namespaces.remove(principal, principal.activeNamespace)
    const next = await access.sessions.refresh(grant.refreshToken, '::1')
    expect(next.namespace).toMatchObject({ kind: 'personal', state: 'active' })
    expect(next.namespace.id).not.toBe(principal.activeNamespace)
    const signedIn = await access.sessions.verify(next.accessToken)
    expect(await access.authorizer.readNamespace(signedIn, {})).toMatchObject({ id: next.namespace.id })
  })
})
