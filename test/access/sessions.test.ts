import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { LOCAL_SEAT } from '../../src/access/fair-queue.js'
import { PasswordHasher } from '../../src/access/passwords.js'
import { resetPassword } from '../../src/access/reset-password.js'
import { SecretSource, sha256Hex } from '../../src/access/secrets.js'
import type { TokenGrant } from '../../src/access/sessions.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, PASSWORD, registered, TEST_COST } from '../support/open-access.js'
import { ManualTime } from '../support/manual-time.js'

const DAY_MS = 86_400_000

let opened: OpenedAccess
beforeEach(async () => {
  opened = await openTestAccess()
})
afterEach(() => opened.close())

function login(email: string, password = PASSWORD, address = '10.0.0.1'): Promise<unknown> {
  return opened.access.signIn.login({ email, password, address })
}

describe('registering', () => {
  it('is allowed five times a minute from an address, also for those that were refused', async () => {
    const register = (name: string, address = '10.0.0.1'): Promise<unknown> =>
      opened.access.signIn.register({ email: `${name}@example.com`, password: PASSWORD, address })
    for (const name of ['a', 'b', 'c', 'd']) await register(name)
    await expect(register('a')).rejects.toMatchObject({ code: 'conflict' })
    await expect(register('e')).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
    expect(await register('e', '10.0.0.2')).toBeDefined()
    opened.clock.pass(60_000)
    expect(await register('f')).toBeDefined()
  })

  it('makes a user, a personal namespace of which they are admin, and a session', async () => {
    const { grant, principal } = await registered(opened, 'ada')
    expect(grant).toMatchObject({ expiresInS: 900, role: 'admin', user: { email: 'ada@example.com', name: 'ada' } })
    expect(grant.namespace).toMatchObject({ kind: 'personal', state: 'active' })
    expect(grant.namespace.name).toMatch(/^ada-[a-z0-9]{6}$/)
    expect(principal).toMatchObject({ kind: 'user', isOperator: false, activeNamespace: grant.namespace.id })
    expect(await opened.access.authorizer.readNamespace(principal, {})).toMatchObject({ id: grant.namespace.id })
  })

  it('refuses a taken address, a short password and a text that is not an address', async () => {
    await registered(opened, 'ada')
    await expect(registered(opened, 'ADA')).rejects.toMatchObject({ code: 'conflict' })
    const signIn = opened.access.signIn
    await expect(signIn.register({ email: 'b@c', password: 'short', address: '::1' })).rejects.toMatchObject({
      field: 'password'
    })
    await expect(signIn.register({ email: 'absent', password: PASSWORD, address: '::1' })).rejects.toMatchObject({
      field: 'email'
    })
    expect(await opened.store.users.count()).toBe(2)
  })

  it('is refused where it is closed, and needs an invitation where it is by invitation', async () => {
    for (const registration of ['closed', 'invite'] as const) {
      const other = await openTestAccess({ registration })
      await expect(registered(other, 'ada')).rejects.toMatchObject({ code: 'role_required' })
      await other.close()
    }
  })
})

describe('signing in', () => {
  it('responds alike for a wrong password and an unknown address', async () => {
    await registered(opened, 'ada')
    const wrong = await login('ada@example.com', 'wrong password').catch((error: unknown) => error)
    const unknown = await login('eve@example.com').catch((error: unknown) => error)
    expect(wrong).toMatchObject({ code: 'invalid_credential' })
    expect((unknown as Error).message).toBe((wrong as Error).message)
    expect(await login('ADA@example.com ')).toMatchObject({ role: 'admin' })
  })

  it('allows five attempts a minute per account and address', async () => {
    await registered(opened, 'ada')
    for (let i = 0; i < 5; i++) await login('ada@example.com', 'wrong password').catch(() => undefined)
    await expect(login('ADA@example.com')).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
    expect(await login('ada@example.com', PASSWORD, '10.0.0.2')).toBeDefined()
    opened.clock.pass(60_000)
    expect(await login('ada@example.com')).toBeDefined()
  })

  it('brings a hash of another cost up to date', async () => {
    await registered(opened, 'ada')
    const older = await new PasswordHasher(new SecretSource(randomBytes), { logN: 3, r: 8, p: 1 }, new ManualTime()).hash(
      PASSWORD,
      LOCAL_SEAT
    )
    const user = (await opened.store.users.byEmail('ada@example.com'))!
    await opened.store.users.setPassword(user.id, older)
    await login('ada@example.com')
    const upgraded = (await opened.store.users.byId(user.id))!.passwordHash
    expect(upgraded).toContain('ln=4')
    expect(await login('ada@example.com')).toBeDefined()
  })

  it('ends all sessions when the password is reset', async () => {
    const { grant } = await registered(opened, 'ada')
    const { password } = await resetPassword({ ...opened, randomBytes, scryptCost: TEST_COST }, { email: 'ada@example.com' })
    await expect(opened.access.sessions.refresh(grant.refreshToken, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    await expect(login('ada@example.com')).rejects.toMatchObject({ code: 'invalid_credential' })
    expect(await login('ada@example.com', password)).toBeDefined()
  })
})

describe('refreshing', () => {
  it('gives new tokens and ends the whole session at a second use', async () => {
    const { sessions } = opened.access
    const { grant } = await registered(opened, 'ada')
    const second = await sessions.refresh(grant.refreshToken, '::1')
    expect(second.refreshToken).not.toBe(grant.refreshToken)
    await expect(sessions.refresh(grant.refreshToken, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    await expect(sessions.refresh(second.refreshToken, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    await expect(sessions.verify(second.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
  })

  it('leaves other sessions of the user alone when one ends', async () => {
    const { grant } = await registered(opened, 'ada')
    const other = (await login('ada@example.com')) as typeof grant
    await opened.access.sessions.logout(grant.refreshToken, '::1')
    await opened.access.sessions.logout('alr_unknown', '::1')
    await expect(opened.access.sessions.verify(grant.accessToken)).rejects.toMatchObject({ code: 'invalid_credential' })
    expect(await opened.access.sessions.verify(other.accessToken)).toBeDefined()
    expect(await opened.access.sessions.refresh(other.refreshToken, '::1')).toBeDefined()
  })

  it('of a session that has ended is refused, and is not written down as a reuse', async () => {
    const { sessions } = opened.access
    const { grant } = await registered(opened, 'ada')
    await sessions.logout(grant.refreshToken, '::1')
    await expect(sessions.refresh(grant.refreshToken, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    const actions = (await opened.store.audit.of(grant.namespace.id, 10)).map(({ action }) => action)
    expect(actions).toContain('session.ended')
    expect(actions).not.toContain('session.reuse_detected')
  })

  it('takes two uses at once for a reuse: one wins, then the session is over', async () => {
    const { sessions } = opened.access
    const { grant } = await registered(opened, 'ada')
    const both = await Promise.allSettled([
      sessions.refresh(grant.refreshToken, '::1'),
      sessions.refresh(grant.refreshToken, '::1')
    ])
    const won = both.filter(result => result.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await expect(sessions.refresh(won[0]!.value.refreshToken, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
  })

  it('expires after 30 days without use', async () => {
    const { grant } = await registered(opened, 'ada')
    opened.clock.pass(30 * DAY_MS)
    await expect(opened.access.sessions.refresh(grant.refreshToken, '::1')).rejects.toMatchObject({ code: 'expired_credential' })
  })
})

describe('refreshing a cookie session', () => {
  const REPEAT = { mayRepeat: true }
  const REFUSED = { code: 'invalid_credential' }
  const refresh = (token: string, options = REPEAT): Promise<TokenGrant> => opened.access.sessions.refresh(token, '::1', options)
  const actionsIn = async ({ namespace }: TokenGrant): Promise<readonly string[]> =>
    (await opened.store.audit.of(namespace.id, 10)).map(({ action }) => action)

  it('returns the same successor to a repeat within 10 s, and ends the session after that', async () => {
    const { grant } = await registered(opened, 'ada')
    const first = await refresh(grant.refreshToken)
    opened.clock.pass(10_000)
    const repeat = await refresh(grant.refreshToken)
    expect([repeat.refreshToken, repeat.user.id]).toEqual([first.refreshToken, grant.user.id])
    expect(await opened.access.sessions.verify(repeat.accessToken)).toBeDefined()
    expect(await actionsIn(grant)).not.toContain('session.reuse_detected')
    opened.clock.pass(1)
    await expect(refresh(grant.refreshToken)).rejects.toMatchObject(REFUSED)
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(REFUSED)
    await expect(opened.access.sessions.verify(first.accessToken)).rejects.toMatchObject(REFUSED)
    expect(await actionsIn(grant)).toContain('session.reuse_detected')
  })

  it('treats several at once alike', async () => {
    const { grant } = await registered(opened, 'ada')
    const all = await Promise.all([1, 2, 3].map(() => refresh(grant.refreshToken)))
    expect(new Set(all.map(({ refreshToken }) => refreshToken)).size).toBe(1)
    expect((await refresh(all[0]!.refreshToken)).refreshToken).not.toBe(grant.refreshToken)
  })

  it('responds to a late repeat with the newest token, so that the cookie does not go back', async () => {
    const { grant } = await registered(opened, 'ada')
    const second = await refresh(grant.refreshToken)
    opened.clock.pass(4_000)
    const third = await refresh(second.refreshToken)
    opened.clock.pass(4_000)
    expect((await refresh(grant.refreshToken)).refreshToken).toBe(third.refreshToken)
  })

  it('follows 16 successors and takes more for a reuse', async () => {
    const { grant } = await registered(opened, 'ada')
    const tokens = [grant.refreshToken]
    for (let i = 0; i < 16; i++) tokens.push((await refresh(tokens.at(-1)!)).refreshToken)
    expect((await refresh(tokens[1]!)).refreshToken).toBe(tokens[16])
    await expect(refresh(tokens[0]!)).rejects.toMatchObject(REFUSED)
    await expect(refresh(tokens[16]!)).rejects.toMatchObject(REFUSED)
  })

  it.each([
    ['used by a client that keeps its token itself', { mayRepeat: false }, REPEAT],
    ['repeated by such a client', REPEAT, { mayRepeat: false }]
  ])('ends the session when the token was %s', async (_case, used, repeated) => {
    const { grant } = await registered(opened, 'ada')
    const next = await refresh(grant.refreshToken, used)
    await expect(refresh(grant.refreshToken, repeated)).rejects.toMatchObject(REFUSED)
    await expect(refresh(next.refreshToken)).rejects.toMatchObject(REFUSED)
  })

  it('refuses a repeat of a session that has been signed out of, and does not take it for a reuse', async () => {
    const { grant } = await registered(opened, 'ada')
    const next = await refresh(grant.refreshToken)
    await opened.access.sessions.logout(next.refreshToken, '::1')
    await expect(refresh(grant.refreshToken)).rejects.toMatchObject(REFUSED)
    await expect(opened.access.sessions.verify(next.accessToken)).rejects.toMatchObject(REFUSED)
    expect(await actionsIn(grant)).not.toContain('session.reuse_detected')
  })

  it('stores neither token', async () => {
    const { grant } = await registered(opened, 'ada')
    const next = await refresh(grant.refreshToken)
    const row = await opened.store.refreshTokens.byHash(sha256Hex(next.refreshToken))
    expect(row).toMatchObject({ usedAtMs: null })
    for (const token of [grant, next]) expect(JSON.stringify(row)).not.toContain(token.refreshToken)
  })
})

describe('access tokens', () => {
  it('are EdDSA and carry the claims of the interface', async () => {
    const { grant } = await registered(opened, 'ada')
    const { keys } = opened.access.sessions.jwks()
    const header = decodeProtectedHeader(grant.accessToken)
    expect(header).toMatchObject({ alg: 'EdDSA', kid: keys[0]!['kid'] })
    const { id, name } = grant.namespace
    expect(decodeJwt(grant.accessToken)).toMatchObject({
      sub: grant.user.id,
      namespace_id: id,
      namespace_name: name,
      role: 'admin',
      iss: 'alidade',
      aud: 'alidade',
      jti: expect.any(String) as unknown
    })
    expect(keys[0]).not.toHaveProperty('d')
  })

  it('expire after 15 minutes', async () => {
    const { grant } = await registered(opened, 'ada')
    opened.clock.pass(15 * 60_000 - 1000)
    expect(await opened.access.sessions.verify(grant.accessToken)).toBeDefined()
    opened.clock.pass(1000)
    await expect(opened.access.sessions.verify(grant.accessToken)).rejects.toMatchObject({ code: 'expired_credential' })
  })

  it('are refused when anything about them is changed', async () => {
    const { grant } = await registered(opened, 'ada')
    const [header, payload, signature] = grant.accessToken.split('.') as [string, string, string]
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(grant.accessToken), sub: 'other' })).toString('base64url')
    const other = await openTestAccess()
    const { grant: foreign } = await registered(other, 'ada')
    await other.close()
    for (const token of ['', 'a.b.c', `${unsigned}.${payload}.`, `${header}.${forged}.${signature}`, foreign.accessToken]) {
      await expect(opened.access.sessions.verify(token)).rejects.toMatchObject({ code: 'invalid_credential' })
    }
  })

  it('outlive a rotation of the signing key, whose successor signs at once', async () => {
    const { access, clock } = opened
    const { grant } = await registered(opened, 'ada')
    clock.pass(30 * DAY_MS - 60_000)
    const late = (await login('ada@example.com')) as typeof grant
    clock.pass(60_000)
    await access.housekeeping()
    const next = (await login('ada@example.com')) as typeof grant
    expect(decodeProtectedHeader(next.accessToken).kid).not.toBe(decodeProtectedHeader(late.accessToken).kid)
    expect(await access.sessions.verify(late.accessToken)).toBeDefined()
    expect(access.sessions.jwks().keys).toHaveLength(2)
    clock.pass(16 * 60_000)
    expect(access.sessions.jwks().keys).toHaveLength(1)
  })
})
