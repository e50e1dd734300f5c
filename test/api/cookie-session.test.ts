import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

const PUBLIC_URL = 'https://watch.example.com/alidade'
const PUBLIC_ORIGIN = 'https://watch.example.com'
const PASSWORD = 'correct horse battery'
const BY_COOKIE = { 'x-alidade-session': 'cookie' }

type Headers = Readonly<Record<string, string>>

let plain: RunningService
let behind: RunningService
let people = 0
let email: string

beforeAll(async () => {
  // Clients of many addresses: registrations of one are limited.
  const flags = ['--registration', 'open', '--trusted-proxies', 'loopback']
  plain = await startService({ flags })
  behind = await startService({ flags: [...flags, '--public-url', PUBLIC_URL] })
})
afterAll(async () => {
  await plain?.close()
  await behind?.close()
})
beforeEach(() => {
  email = `person${++people}@example.com`
})

function post(service: RunningService, route: string, headers: Headers, json?: object): Promise<CheckedResponse> {
  const from = { 'x-forwarded-for': `10.0.0.${people}`, ...headers }
  return service.api(`/api/v1/auth/${route}`, { method: 'POST', headers: from, ...(json === undefined ? {} : { json }) })
}
const ownPage = (service: RunningService): Headers => ({ ...BY_COOKIE, origin: service.url })
const register = (service: RunningService, headers: Headers): Promise<CheckedResponse> =>
  post(service, 'register', headers, { email, password: PASSWORD })
const login = (service: RunningService, headers: Headers): Promise<CheckedResponse> =>
  post(service, 'login', headers, { email, password: PASSWORD })

/** What a browser would send back. */
function cookieOf(response: CheckedResponse): string {
  return response.headers.get('set-cookie')!.split(';', 1)[0]!
}
function bearer(response: CheckedResponse): Headers {
  return { authorization: `Bearer ${String(response.json['access_token'])}` }
}
const namespaces = (response: CheckedResponse): Promise<CheckedResponse> =>
  plain.api('/api/v1/namespaces', { headers: bearer(response) })

describe('a cookie session', () => {
  it('keeps the refresh token out of every body, in a cookie that scripts cannot read', async () => {
    const registered = await register(plain, ownPage(plain))
    expect(registered.status).toBe(201)
    const signedIn = await login(plain, ownPage(plain))
    const refreshed = await post(plain, 'refresh', { ...ownPage(plain), cookie: cookieOf(signedIn) })
    const { id } = registered.json['namespace'] as { id: string }
    const switched = await post(plain, 'switch', { ...ownPage(plain), ...bearer(refreshed) }, { namespace_id: id })
    for (const response of [registered, signedIn, refreshed, switched]) {
      expect(response.json).toMatchObject({ token_type: 'Bearer', expires_in: 900, role: 'admin' })
      expect(response.text).not.toMatch(/refresh_token|alr_/)
      expect(response.headers.get('set-cookie')).toMatch(
        /^alidade_refresh=alr_[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/
      )
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const cookies = [registered, signedIn, refreshed, switched].map(cookieOf)
    expect(new Set(cookies).size).toBe(4)
  })

  it('is secure, and below the path of the public URL, behind https', async () => {
    const page = { ...BY_COOKIE, origin: PUBLIC_ORIGIN }
    const registered = await register(behind, page)
    expect(registered.headers.get('set-cookie')).toMatch(
      /^__Secure-alidade_refresh=alr_[\w-]{43}; Path=\/alidade\/api\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/
    )
    expect((await post(behind, 'refresh', { ...page, cookie: cookieOf(registered) })).status).toBe(200)
    const unsafe = cookieOf(registered).replace('__Secure-', '')
    expect((await post(behind, 'refresh', { ...page, cookie: unsafe })).status).toBe(401)
  })

  it('is secure behind a proxy that ends TLS and leaves Host as it is', async () => {
    const registered = await register(plain, { ...BY_COOKIE, origin: plain.url.replace('http:', 'https:') })
    expect(registered.headers.get('set-cookie')).toMatch(/^__Secure-alidade_refresh=alr_[\w-]{43}; .*; Secure$/)
  })

  it('is not opened by what a script can read: an access token refreshes nothing', async () => {
    const registered = await register(plain, ownPage(plain))
    const token = String(registered.json['access_token'])
    for (const cookie of ['', `alidade_refresh=${token}`]) {
      expect((await post(plain, 'refresh', { ...ownPage(plain), cookie })).status).toBe(401)
    }
    expect((await post(plain, 'refresh', {}, { refresh_token: token })).status).toBe(401)
  })

  it('takes the token of its cookie among others, with an empty object as body or none', async () => {
    const cookie = `theme=dark; ${cookieOf(await register(plain, ownPage(plain)))}; xalidade_refresh=no`
    const first = await post(plain, 'refresh', { ...ownPage(plain), cookie }, {})
    expect(first.status).toBe(200)
    expect((await post(plain, 'refresh', { ...ownPage(plain), cookie: cookieOf(first) })).status).toBe(200)
  })

  it('ends for all its tabs at sign-out, which removes the cookie', async () => {
    const registered = await register(plain, ownPage(plain))
    const tab = await post(plain, 'refresh', { ...ownPage(plain), cookie: cookieOf(registered) })
    expect((await namespaces(registered)).status).toBe(200)
    const left = await post(plain, 'logout', { ...ownPage(plain), cookie: cookieOf(tab) })
    expect([left.status, left.headers.get('set-cookie')]).toEqual([
      204,
      'alidade_refresh=; Path=/api/v1/auth; Max-Age=0; HttpOnly; SameSite=Strict'
    ])
    for (const response of [registered, tab]) {
      expect((await namespaces(response)).status).toBe(401)
      expect((await post(plain, 'refresh', { ...ownPage(plain), cookie: cookieOf(response) })).status).toBe(401)
    }
    const again = await post(plain, 'logout', ownPage(plain))
    expect([again.status, again.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
  })
})

describe('two tabs', () => {
  it('that refresh at once stay signed in with one cookie', async () => {
    const cookie = cookieOf(await register(plain, ownPage(plain)))
    const refresh = (): Promise<CheckedResponse> => post(plain, 'refresh', { ...ownPage(plain), cookie })
    const both = await Promise.all([refresh(), refresh()])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(cookieOf(both[0])).toBe(cookieOf(both[1]))
    expect((await post(plain, 'refresh', { ...ownPage(plain), cookie: cookieOf(both[0]) })).status).toBe(200)
  })

  it('do not make the token of a body usable twice', async () => {
    await register(plain, {})
    const token = String((await login(plain, {})).json['refresh_token'])
    const refresh = (): Promise<CheckedResponse> => post(plain, 'refresh', {}, { refresh_token: token })
    const statuses = (await Promise.all([refresh(), refresh()])).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 401]))
  })
})

describe('the cookie counts for nothing', () => {
  it('without the header: it is not read, and no cookie is set', async () => {
    const cookie = cookieOf(await register(plain, ownPage(plain)))
    const page = { cookie, origin: plain.url }
    const refreshed = await post(plain, 'refresh', page, {})
    expect(refreshed).toMatchObject({ status: 400, json: { code: 'missing_field' } })
    expect((await post(plain, 'logout', page, {})).status).toBe(400)
    const signedIn = await login(plain, { origin: plain.url })
    expect([signedIn.headers.get('set-cookie'), typeof signedIn.json['refresh_token']]).toEqual([null, 'string'])
    // It was not used up.
    expect((await post(plain, 'refresh', { ...ownPage(plain), cookie })).status).toBe(200)
  })

  it('from other origins and without one, on every route, before anything is done', async () => {
    const registered = await register(plain, ownPage(plain))
    const { port } = new URL(plain.url)
    const forged = [
      'https://evil.example',
      `http://127.0.0.1.evil.example:${port}`,
      `http://localhost:${port}`,
      'http://127.0.0.1',
      'null',
      '',
      'file://',
      plain.url.replace('http:', 'ftp:')
    ]
    for (const origin of [undefined, ...forged]) {
      const headers = { ...BY_COOKIE, ...(origin === undefined ? {} : { origin }), cookie: cookieOf(registered) }
      const responses = await Promise.all([
        post(plain, 'refresh', headers),
        post(plain, 'logout', headers),
        post(plain, 'login', headers, { email, password: 'wrong password' }),
        post(plain, 'register', headers, { email, password: PASSWORD }),
        post(plain, 'switch', { ...headers, ...bearer(registered) }, { namespace_id: 'any' })
      ])
      const outcomes = responses.map(({ status, json, headers: sent }) => [status, json['code'], sent.get('set-cookie')])
      expect(outcomes).toEqual(responses.map(() => [403, 'origin_not_allowed', null]))
    }
    expect((await post(plain, 'refresh', { ...ownPage(plain), cookie: cookieOf(registered) })).status).toBe(200)
  })

  it('from another host than the one in the request to a trusted proxy', async () => {
    const page = { ...BY_COOKIE, origin: 'https://watch.example.com', 'x-forwarded-host': 'watch.example.com' }
    expect(cookieOf(await register(plain, page))).toMatch(/^__Secure-alidade_refresh=alr_/)
    expect((await login(plain, { ...page, 'x-forwarded-host': 'other.example.com' })).status).toBe(403)
  })

  it('from the public host under another scheme, while the host of the request works', async () => {
    const registered = await register(behind, { ...BY_COOKIE, origin: PUBLIC_ORIGIN })
    expect(registered.status).toBe(201)
    expect((await login(behind, { ...BY_COOKIE, origin: 'http://watch.example.com' })).status).toBe(403)
    const direct = await login(behind, ownPage(behind))
    expect([direct.status, direct.headers.get('set-cookie')]).toEqual([200, expect.stringMatching(/^alidade_refresh=/)])
  })

  it('together with a token in the body', async () => {
    const cookie = cookieOf(await register(plain, ownPage(plain)))
    const token = cookie.slice('alidade_refresh='.length)
    for (const route of ['refresh', 'logout']) {
      const both = await post(plain, route, { ...ownPage(plain), cookie }, { refresh_token: token })
      expect(both).toMatchObject({ status: 400, json: { code: 'invalid_field', errors: [{ field: 'refresh_token' }] } })
    }
    // Without the header the body alone counts.
    expect((await post(plain, 'refresh', { cookie: 'alidade_refresh=other' }, { refresh_token: token })).status).toBe(200)
  })

  it('when a sibling domain has added a second one', async () => {
    const cookie = cookieOf(await register(plain, ownPage(plain)))
    const two = await post(plain, 'refresh', { ...ownPage(plain), cookie: `alidade_refresh=alr_theirs; ${cookie}` })
    expect(two).toMatchObject({ status: 401, json: { code: 'invalid_credential' } })
    expect((await post(plain, 'refresh', { ...ownPage(plain), cookie })).status).toBe(200)
  })

  it('with another value of the header', async () => {
    const response = await login(plain, { 'x-alidade-session': 'yes', origin: plain.url })
    expect(response).toMatchObject({ status: 400, json: { code: 'invalid_field' } })
  })
})
