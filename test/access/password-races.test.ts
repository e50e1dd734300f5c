import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { PasswordHasher } from '../../src/access/passwords.js'
import { SecretSource } from '../../src/access/secrets.js'
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
})
afterEach(() => opened.close())

function login(password: string) {
  return opened.access.signIn.login({ email: 'ada@example.com', password, address: '10.0.0.9' })
}

function change(): Promise<void> {
  const input = { currentPassword: PASSWORD, newPassword: NEXT, address: '10.0.0.1' }
  return opened.access.passwordChange.change(ada, input, FIELDS)
}

/** The password is changed right after the next sign-in has read the user. */
function changeDuringSignIn(): void {
  const { users } = opened.store
  const byEmail = users.byEmail.bind(users)
  users.byEmail = async email => {
    users.byEmail = byEmail
    const user = await byEmail(email)
    await change()
    return user
  }
}

it('a sign-in by the old password that is under way opens no session', async () => {
  changeDuringSignIn()
  await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'conflict' })
  expect(await login(NEXT)).toBeDefined()
})

it('a sign-in that brings the hash up to date does not bring the old password back', async () => {
  const older = await new PasswordHasher(new SecretSource(randomBytes), { logN: 3, r: 8, p: 1 }).hash(PASSWORD)
  await opened.store.users.setPassword(ada.userId, older)
  changeDuringSignIn()
  await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'conflict' })
  await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'invalid_credential' })
  expect(await login(NEXT)).toBeDefined()
})

it('a switch that was let in before does not revive an ended session', async () => {
  const other = await login(PASSWORD)
  const principal = await opened.access.sessions.verify(other.accessToken)
  await change()
  const switched = opened.access.sessions.switchTo(principal, principal.activeNamespace)
  await expect(switched).rejects.toMatchObject({ code: 'invalid_credential' })
  await expect(opened.access.sessions.verify(other.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
})
