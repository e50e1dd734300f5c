import { afterAll, beforeAll } from '@jest/globals'
import { createPostgresDatabases, type PostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { measurePointCases } from './measure-point-cases.js'

describeOn('postgres', 'kill -9 at each fail point of saved measures, on PostgreSQL', ({ url }) => {
  let databases: PostgresDatabases

  beforeAll(async () => {
    databases = await createPostgresDatabases(url)
  })
  measurePointCases(async () => ({ ALIDADE_DATABASE_URL: await databases.bare() }))
  afterAll(() => databases?.drop())
})
