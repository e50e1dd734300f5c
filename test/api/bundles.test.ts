import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import type { IntrospectionQuery } from 'graphql'
import { buildClientSchema, getIntrospectionQuery } from 'graphql'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { printSorted } from '../../schema/build.js'
import { openTempFolder } from '../support/temp-folder.js'

it('bundles the service without a change of its schema, whose types have the names of classes', async () => {
  const folder = await openTempFolder()
  const service = await ServiceProcess.start({ dataDir: folder.path })
  try {
    const session = await Session.operator(service)
    const query = getIntrospectionQuery({ inputValueDeprecation: true })
    const { data } = await session.call<{ data: IntrospectionQuery }>('POST', '/graphql', { query })
    const committed = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8')
    expect(printSorted(buildClientSchema(data))).toBe(committed)
  } finally {
    await service.stop()
    await folder.remove()
  }
})
