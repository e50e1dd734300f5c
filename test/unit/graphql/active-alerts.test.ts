import { expect, it } from '@jest/globals'
import type { Context } from '../../../resolvers/context.js'
import { activeAlertsOnce } from '../../../resolvers/to-notification.js'
import { namespace } from '../../contract/control-fixtures.js'

it('the alerts that silences hide are read once for all silences of a request, and not unless they are selected', async () => {
  const read: string[] = []
  const silences = {
    activeAlerts: (ns: { readonly name: string }) => {
      read.push(ns.name)
      return Promise.resolve([])
    }
  }
  const context = { use: { silences }, namespace: () => Promise.resolve(namespace('shop')) } as unknown as Context
  const activeAlerts = activeAlertsOnce(context)
  expect(read).toEqual([])
  await Promise.all([activeAlerts(), activeAlerts(), activeAlerts()])
  expect(read).toEqual(['shop'])
})
