import { beforeAll, describe, expect, it } from '@jest/globals'
import Fastify from 'fastify'
import { KnownPaths } from '../../../src/http/known-paths.js'

const routes = new KnownPaths()
beforeAll(async () => {
  const app = Fastify()
  routes.watch(app)
  app.get('/api/v1/logs', async () => '')
  app.get('/api/v1/namespaces/:id/usage', async () => '')
  app.get('/n/*', async () => '')
  await app.ready()
})

describe('paths like an unknown one', () => {
  it.each<[string, readonly string[]]>([
    ['/api/v1/lgos?x=1', ['/api/v1/logs']],
    ['/api/v1/logss//', ['/api/v1/logs']],
    ['/api/v1/namespaces/prod/usag', ['/api/v1/namespaces/prod/usage']],
    ['/logs', ['/api/v1/logs']],
    ['/n/**', []],
    ['/', []]
  ])('of %s are those that were meant', (url, expected) => {
    expect(routes.pathsLike(url)).toEqual(expected)
  })

  it('are not looked for where the path is longer than any that is misspelt, its slashes counted', () => {
    const misspelt = '/api/v1/logss'
    expect(routes.pathsLike(misspelt.padEnd(128, '/'))).toEqual(['/api/v1/logs'])
    expect(routes.pathsLike(misspelt.padEnd(129, '/'))).toEqual([])
  })
})
