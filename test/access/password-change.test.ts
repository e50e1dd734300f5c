import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import { Ada, NEXT } from '../support/ada.js'
import { PASSWORD, registered } from '../support/open-access.js'

let ada: Ada
beforeEach(async () => {
  ada = await Ada.open()
  // Registering is counted apart; sign-ins are not.
  ada.opened.clock.pass(60_000)
})
afterEach(() => ada.opened.close())

async function actions(namespace: NamespaceId = ada.principal.activeNamespace): Promise<readonly string[]> {
  const { userId } = ada.principal
  const entries = await ada.opened.store.audit.of(namespace, 10)
  return entries.map(({ action, actor, target }) => `${action} ${actor === userId} ${target === userId}`)
}

it('sets the password, with the current one as proof', async () => {
  await ada.change()
  expect(await ada.login(NEXT)).toBeDefined()
  await expect(ada.login(PASSWORD)).rejects.toMatchObject({ code: 'invalid_credential' })
  expect(await actions()).toContain('user.password_changed true true')
})

it('ends every other session at once, access tokens and refresh tokens, and goes on with its own', async () => {
  const { sessions } = ada.opened.access
  const other = await ada.login(PASSWORD)
  expect(await sessions.verify(other.accessToken)).toBeDefined()
  const bob = await registered(ada.opened, 'bob')
  await ada.change()
  await expect(sessions.verify(other.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
  await expect(sessions.refresh(other.refreshToken, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
  const namespace = await sessions.switchTo(ada.principal, ada.principal.activeNamespace)
  expect(await sessions.verify(namespace.accessToken)).toMatchObject({ userId: ada.principal.userId })
  expect(await sessions.verify(bob.grant.accessToken)).toBeDefined()
})

it('refuses a wrong current password, and writes that down', async () => {
  const refused = ada.change('wrong password')
  await expect(refused).rejects.toMatchObject({ code: 'invalid_field', field: 'current_password' })
  expect(await ada.login(PASSWORD)).toBeDefined()
  expect(await actions()).toContain('user.password_refused true true')
})

it("is written down in the user's own namespace, not in the one that the session is in", async () => {
  const { access } = ada.opened
  const team = await access.namespaces.create(ada.principal, { name: 'team' })
  const grant = await access.sessions.switchTo(ada.principal, team.id)
  const as = await access.sessions.verify(grant.accessToken)
  expect(as.activeNamespace).toBe(team.id)
  await expect(ada.change('wrong password', NEXT, { as })).rejects.toMatchObject({ code: 'invalid_field' })
  await ada.change(PASSWORD, NEXT, { as })
  const own = ['user.password_changed true true', 'user.password_refused true true']
  expect(await actions()).toEqual(expect.arrayContaining(own))
  for (const action of own) expect(await actions(team.id)).not.toContain(action)
})

it('refuses a new password that is invalid', async () => {
  await expect(ada.change(PASSWORD, 'short')).rejects.toMatchObject({ code: 'invalid_field', field: 'new_password' })
  expect(await ada.login(PASSWORD)).toBeDefined()
})

it('is allowed five times a minute, sign-ins of the account from the address included', async () => {
  for (let i = 0; i < 3; i++) await expect(ada.change('wrong password')).rejects.toMatchObject({ code: 'invalid_field' })
  for (let i = 0; i < 2; i++) await ada.login(PASSWORD, '10.0.0.1')
  await expect(ada.change()).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
  await expect(ada.login(PASSWORD, '10.0.0.1')).rejects.toMatchObject({ code: 'rate_limited' })
  ada.opened.clock.pass(60_000)
  await ada.change()
})

it('of two at once only one succeeds', async () => {
  const outcomes = await Promise.allSettled([ada.change(), ada.change(PASSWORD, `${NEXT} too`)])
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'conflict' } }])
})
