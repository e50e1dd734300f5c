import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { SessionPrincipal } from '../../src/access/sessions.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, PASSWORD, registered } from '../support/open-access.js'

const NEXT = 'another long password'
const FIELDS = { current: 'current_password', next: 'new_password' }

let opened: OpenedAccess
let ada: SessionPrincipal
beforeEach(async () => {
  opened = await openTestAccess()
  ada = (await registered(opened, 'ada')).principal
  // Registering is counted apart; sign-ins are not.
  opened.clock.pass(60_000)
})
afterEach(() => opened.close())

function login(password: string, address = '10.0.0.9') {
  return opened.access.signIn.login({ email: 'ada@example.com', password, address })
}

function change(currentPassword: string, newPassword: string, address = '10.0.0.1'): Promise<void> {
  return opened.access.passwordChange.change(ada, { currentPassword, newPassword, address }, FIELDS)
}

async function actions(): Promise<readonly string[]> {
  const entries = await opened.store.audit.of(ada.activeNamespace, 10)
  return entries.map(({ action, actor, target }) => `${action} ${actor === ada.userId} ${target === ada.userId}`)
}

it('sets the password, with the current one as proof', async () => {
  await change(PASSWORD, NEXT)
  expect(await login(NEXT)).toBeDefined()
  await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'invalid_credential' })
  expect(await actions()).toContain('user.password_changed true true')
})

it('ends every other session at once, access tokens and refresh tokens, and goes on with its own', async () => {
  const other = await login(PASSWORD)
  expect(await opened.access.sessions.verify(other.accessToken)).toBeDefined()
  const bob = await registered(opened, 'bob')
  await change(PASSWORD, NEXT)
  await expect(opened.access.sessions.verify(other.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
  await expect(opened.access.sessions.refresh(other.refreshToken)).rejects.toMatchObject({ code: 'invalid_credential' })
  const namespace = await opened.access.sessions.switchTo(ada, ada.activeNamespace)
  expect(await opened.access.sessions.verify(namespace.accessToken)).toMatchObject({ userId: ada.userId })
  expect(await opened.access.sessions.verify(bob.grant.accessToken)).toBeDefined()
})

it('refuses a wrong current password, and writes that down', async () => {
  await expect(change('wrong password', NEXT)).rejects.toMatchObject({ code: 'invalid_field', field: 'current_password' })
  expect(await login(PASSWORD)).toBeDefined()
  expect(await actions()).toContain('user.password_refused true true')
})

it('refuses a new password that is none', async () => {
  await expect(change(PASSWORD, 'short')).rejects.toMatchObject({ code: 'invalid_field', field: 'new_password' })
  expect(await login(PASSWORD)).toBeDefined()
})

it('is allowed five times a minute, sign-ins of the account from the address included', async () => {
  for (let i = 0; i < 3; i++) await expect(change('wrong password', NEXT)).rejects.toMatchObject({ code: 'invalid_field' })
  for (let i = 0; i < 2; i++) await login(PASSWORD, '10.0.0.1')
  await expect(change(PASSWORD, NEXT)).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
  await expect(login(PASSWORD, '10.0.0.1')).rejects.toMatchObject({ code: 'rate_limited' })
  opened.clock.pass(60_000)
  await change(PASSWORD, NEXT)
})

it('of two at once only one succeeds', async () => {
  const outcomes = await Promise.allSettled([change(PASSWORD, NEXT), change(PASSWORD, `${NEXT} too`)])
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'conflict' } }])
})
