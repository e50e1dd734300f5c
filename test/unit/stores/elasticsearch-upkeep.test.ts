import { describe, expect, it } from '@jest/globals'
import type { IndexGeneration } from '../../../src/ports/index-catalog.js'
import { ClusterLink } from '../../../src/stores/elasticsearch/client/cluster-link.js'
import type { EngineClient } from '../../../src/stores/elasticsearch/client/engine-client.js'
import { Generations } from '../../../src/stores/elasticsearch/index/generations.js'
import { DEFAULT_LIMITS } from '../../../src/stores/elasticsearch/limits.js'
import { Upkeep } from '../../../src/stores/elasticsearch/upkeep/upkeep.js'
import { ManualTime } from '../../support/manual-time.js'
import { quietJobs, SILENT_LOGGER } from '../../support/quiet-jobs.js'

const DOWN = new Error('down')
const OLD: IndexGeneration = {
  owner: 'a'.repeat(26) as IndexGeneration['owner'],
  kind: 'logs',
  number: 1,
  index: 'alidade-logs-1',
  fromMs: 0,
  search: 'exact',
  createdAtMs: 0,
  madeAtMs: null,
  lostAtMs: null
}

describe('upkeep of a search cluster', () => {
  it('rolls indices over though the deletion of others fails, and reports that one', async () => {
    const rolled: string[] = []
    const deps = {
      generations: { read: async () => undefined, all: async () => [OLD] },
      namespaces: { byId: () => ({ state: 'deleted' }) },
      calls: { sizes: async () => new Map([[OLD.index, { bytes: 1, documents: 1 }]]), namesOf: async () => [OLD.index] },
      roller: { isDue: () => true, roll: async ({ index }: IndexGeneration) => void rolled.push(index) },
      deletions: { dropIndices: () => Promise.reject(DOWN) },
      installation: 'i',
      mappings: { update: async () => undefined },
      jobs: quietJobs()
    } as unknown as ConstructorParameters<typeof Upkeep>[0]
    await expect(new Upkeep(deps).run()).rejects.toBe(DOWN)
    expect(rolled).toEqual([OLD.index])
  })
})

describe('the catalog of indices', () => {
  it('goes on being used while it cannot be read again, which is reported', async () => {
    const time = new ManualTime()
    const jobs = quietJobs()
    let isDown = false
    const catalog = { all: async () => (isDown ? Promise.reject(DOWN) : [OLD]) }
    const generations = new Generations(catalog as never, time, jobs.monitor('index_catalog'))
    expect(await generations.all()).toEqual([OLD])
    isDown = true
    for (let i = 0; i < 2; i++) {
      time.pass(60_000)
      expect(await generations.all()).toEqual([OLD])
    }
    expect(jobs.failing()).toMatchObject([{ job: 'index_catalog', failuresInARow: 2 }])
    isDown = false
    await generations.all()
    expect(jobs.failing()).toEqual([])
  })
})

describe('a cluster that cannot be reached at the start', () => {
  it('is logged', async () => {
    const lines: string[] = []
    const client = { request: () => Promise.reject(DOWN) } as unknown as EngineClient
    const logger = { ...SILENT_LOGGER, warn: (_fields: object, message: string) => void lines.push(message) }
    await new ClusterLink(client, DEFAULT_LIMITS, logger).tryConnect()
    expect(lines).toEqual(['search cluster is unreachable; the next call reconnects'])
  })
})
