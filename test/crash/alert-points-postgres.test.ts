import { afterAll, beforeAll } from '@jest/globals'
import { createPostgresDatabases, type PostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { alertPointCases } from './alert-points.js'

describeOn('postgres', 'kill -9 at each fail point of alerts, on PostgreSQL', ({ url }) => {
  let databases: PostgresDatabases

  beforeAll(async () => {
    databases = await createPostgresDatabases(url)
  })
  alertPointCases(() => databases.bare())
  afterAll(() => databases?.drop())
})
