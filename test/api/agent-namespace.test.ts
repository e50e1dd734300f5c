import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { checkNamespace } from '../../agent/src/check-namespace.js'
import { ConfigError } from '../../agent/src/config/config.js'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { HttpPost } from '../../agent/src/deliver/http-post.js'
import { freePort } from '../../bench/service/free-port.js'
import { type IngestService, openIngestService } from '../support/ingest-service.js'

let service: IngestService
beforeAll(async () => {
  service = await openIngestService()
})
afterAll(() => service.close())

/** What the agent logs at its start. */
async function checked(namespace: string, key = 'ingest', url = service.url): Promise<readonly string[]> {
  const config = parseConfig('', { SERVICE_URL: url, SERVICE_API_KEY: key, SERVICE_NAMESPACE: namespace })
  const post = new HttpPost(config)
  const events: string[] = []
  try {
    await checkNamespace(post, config, event => events.push(event))
    return events
  } finally {
    post.close()
  }
}

it('starts with a namespace that the key may write to, and with that of the key', async () => {
  for (const namespace of ['prod', 'stage', '']) await expect(checked(namespace)).resolves.toEqual([])
})

it('names the namespace of the configuration, what set it, and that of the key when they do not agree', async () => {
  const fault = checked('foreign', 'other')
  await expect(fault).rejects.toThrow(ConfigError)
  await expect(fault).rejects.toThrow(
    'the API key is not authorized for the namespace foreign (from SERVICE_NAMESPACE); it is one of prod'
  )
})

it('states what else is wrong with the key', async () => {
  await expect(checked('prod', 'rum')).rejects.toThrow(
    'the API key cannot be used for the namespace prod (from SERVICE_NAMESPACE): not this kind'
  )
})

it('starts while the service cannot be reached', async () => {
  await expect(checked('prod', 'ingest', `http://127.0.0.1:${await freePort()}`)).resolves.toEqual(['service not reached'])
})
