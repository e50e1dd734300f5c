import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ElasticsearchServer } from '../../src/stores/elasticsearch/client/node-transport.js'
import { messagesOf, store } from '../contract/log-fixtures.js'
import { newNamespace } from '../contract/fresh-ids.js'
import { type Authority, makeAuthority } from '../support/certificates.js'
import { openElasticsearchSite, serverOf, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn } from '../support/servers.js'
import { openTlsProxy, type TlsProxy, type Translate } from '../support/tls-proxy.js'

const LOOPBACK = '127.0.0.1'

// Elasticsearch 9 is the one that runs with security on.
describeOn('es9', 'Elasticsearch is reached', access => {
  let site: ElasticsearchSite
  beforeAll(async () => {
    site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
  })
  afterAll(() => site.close())

  /** Writes and reads one log as whom these settings make us. */
  async function writeAndRead(settings: Partial<ElasticsearchServer>): Promise<readonly string[]> {
    const { logs } = await site.open({ server: { ...serverOf(access), ...settings } })
    const ns = newNamespace()
    await store(logs, ns, [{ message: 'let in' }])
    return messagesOf(logs, ns)
  }

  // The reduced distribution makes no keys: the index of keys needs an analyzer that it lacks. A proxy that knows one key
  // lets it in as the user, so that nothing but the key is sent; those that no one made are the server's own to refuse.
  describe('with an API key', () => {
    const keyOf = (text: string): string => Buffer.from(text).toString('base64')
    const only = (apiKey: string): Partial<ElasticsearchServer> => ({ username: null, password: null, apiKey })

    it('that is sent with every request', async () => {
      const key = keyOf('an-id:a-secret')
      const user = `Basic ${keyOf(`${access.username}:${access.password}`)}`
      const authority = makeAuthority()
      const translate: Translate = given => (given === `ApiKey ${key}` ? user : given)
      const proxy = await openTlsProxy(authority.issue(LOOPBACK), access.url, translate)
      try {
        const urls = [`https://${LOOPBACK}:${proxy.port}`]
        expect(await writeAndRead({ ...only(key), urls, ca: authority.pem })).toEqual(['let in'])
      } finally {
        await proxy.close()
      }
    })

    it('but not with one that was never made', async () => {
      await expect(writeAndRead(only(keyOf('an-id:another-secret')))).rejects.toMatchObject({
        code: 'store_unavailable',
        message: 'the search store does not accept the credentials'
      })
    })
  })

  describe('over TLS', () => {
    let authority: Authority
    let proxy: TlsProxy
    beforeAll(async () => {
      authority = makeAuthority()
      proxy = await openTlsProxy(authority.issue(LOOPBACK), access.url)
    })
    afterAll(() => proxy.close())

    const at = (host: string): Partial<ElasticsearchServer> => ({ urls: [`https://${host}:${proxy.port}`] })

    it('when the certificate is of the authority that was named', async () => {
      expect(await writeAndRead({ ...at(LOOPBACK), ca: authority.pem })).toEqual(['let in'])
    })

    it.each([
      ['no authority was named', () => ({ ...at(LOOPBACK), ca: null }), 'unable to verify'],
      ['another authority was named', () => ({ ...at(LOOPBACK), ca: makeAuthority('another').pem }), 'unable to'],
      ['the certificate is of another host', () => ({ ...at('localhost'), ca: authority.pem }), 'localhost']
    ])('but not when %s', async (_what, settings, reason) => {
      const diagnosis = expect.stringContaining(reason)
      await expect(writeAndRead(settings())).rejects.toMatchObject({ code: 'store_unavailable', diagnosis })
    })

    it('at the address of a cloud id', async () => {
      // The host is `<id of Elasticsearch>.<host>`: the address itself, cut at its first dot.
      const [first, ...rest] = LOOPBACK.split('.')
      const cloudId = `deployment:${Buffer.from(`${rest.join('.')}:${proxy.port}$${first}$kibana`).toString('base64')}`
      expect(await writeAndRead({ urls: null, cloudId, ca: authority.pem })).toEqual(['let in'])
    })
  })
})
