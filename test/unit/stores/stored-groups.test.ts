import { expect, it } from '@jest/globals'
import { readGroup } from '../../../src/stores/control/notification-groups.js'
import { notificationGroup, notifiedAlert } from '../../contract/notification-fixtures.js'

it('groups of versions that kept no state of what was sent take the present one, which is not news', () => {
  const { alerts: _alerts, sent: _sent, ...group } = notificationGroup('{}:{}')
  const stored = {
    ...group,
    alerts: [['rule/a', { ...notifiedAlert('a', { state: 'nodata' }), value: '0.5' }]],
    sent: [['c', { atMs: 1, owed: ['rule/a', 'rule/gone'], resolved: [], done: [] }]]
  }
  const { owed } = readGroup(JSON.stringify(stored)).sent.get('c')!
  expect([...owed]).toEqual([
    ['rule/a', 'nodata'],
    ['rule/gone', 'firing']
  ])
})
