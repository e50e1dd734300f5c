import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { LOCAL_SEAT } from '../../src/access/fair-queue.js'
import { PasswordHasher } from '../../src/access/passwords.js'
import { SecretSource } from '../../src/access/secrets.js'
import { Ada, NEXT } from '../support/ada.js'
import { PASSWORD } from '../support/open-access.js'
import { ManualTime } from '../support/manual-time.js'

let ada: Ada
beforeEach(async () => {
  ada = await Ada.open()
})
afterEach(() => ada.opened.close())

/** The password is changed right after the next sign-in has read the user. */
function changeDuringSignIn(): void {
  const { users } = ada.opened.store
  const byEmail = users.byEmail.bind(users)
  users.byEmail = async email => {
    users.byEmail = byEmail
    const user = await byEmail(email)
    await ada.change()
    return user
  }
}

it('a sign-in by the old password that is in flight opens no session', async () => {
  changeDuringSignIn()
  await expect(ada.login(PASSWORD)).rejects.toMatchObject({ code: 'conflict' })
  expect(await ada.login(NEXT)).toBeDefined()
})

it('a sign-in that brings the hash up to date does not bring the old password back', async () => {
  const older = await new PasswordHasher(new SecretSource(randomBytes), { logN: 3, r: 8, p: 1 }, new ManualTime()).hash(
    PASSWORD,
    LOCAL_SEAT
  )
  await ada.opened.store.users.setPassword(ada.principal.userId, older)
  changeDuringSignIn()
  await expect(ada.login(PASSWORD)).rejects.toMatchObject({ code: 'conflict' })
  await expect(ada.login(PASSWORD)).rejects.toMatchObject({ code: 'invalid_credential' })
  expect(await ada.login(NEXT)).toBeDefined()
})

it('a switch that was let in before does not revive an ended session', async () => {
  const other = await ada.login(PASSWORD)
  const principal = await ada.opened.access.sessions.verify(other.accessToken)
  await ada.change()
  const switched = ada.opened.access.sessions.switchTo(principal, principal.activeNamespace)
  await expect(switched).rejects.toMatchObject({ code: 'invalid_credential' })
  await expect(ada.opened.access.sessions.verify(other.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
})
