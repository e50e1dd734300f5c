import { describe, expect, it } from '@jest/globals'
import { accessFrom, SERVER_NAMES, variablesOf } from '../../servers/variables.js'
import { serverAccess } from '../../support/servers.js'

describe('access to the test servers', () => {
  it.each(SERVER_NAMES)('comes back from the variables of %s as it was written', name => {
    const access = { url: 'http://127.0.0.1:1', username: 'u', password: 'p', token: 't', org: 'o' }
    const variables = variablesOf(name, access)
    expect(variablesOf(name, accessFrom(variables, name)!)).toEqual(variables)
    expect(accessFrom(variables, name)?.url).toBe('http://127.0.0.1:1')
  })

  it('carries credentials where the server has them', () => {
    const environment = {
      ES9_URL: 'http://127.0.0.1:1',
      ES9_USERNAME: 'elastic',
      ES9_PASSWORD: 'p',
      ES8_URL: 'http://127.0.0.1:2'
    }
    expect(serverAccess('es9', environment)).toEqual({ url: 'http://127.0.0.1:1', username: 'elastic', password: 'p' })
    expect(serverAccess('es8', environment)).toEqual({ url: 'http://127.0.0.1:2' })
  })

  it('is absent without a URL, and an error where servers are required', () => {
    expect(serverAccess('influx', { INFLUX_TOKEN: 't' })).toBeUndefined()
    expect(() => serverAccess('influx', { REQUIRE_STORES: '1' })).toThrow('InfluxDB is required and INFLUX_URL is not set')
  })
})
