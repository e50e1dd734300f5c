import { expect, it } from '@jest/globals'
import {
  MAX_IN_FLIGHT,
  MAX_PER_CHANNEL,
  MAX_PER_NAMESPACE,
  SendSlots
} from '../../../../src/alerting/notify/deliver/send-slots.js'
import { delivery } from '../../../contract/notification-fixtures.js'
import { namespaceId } from '../../../contract/control-fixtures.js'

let next = 0
const enter = (
  slots: SendSlots,
  namespace: string,
  channelId: string,
  groupKey: string | null = `g${next}`
): (() => void) | null => slots.enter(delivery(`d${next++}`, { namespaceId: namespaceId(namespace), channelId, groupKey }))

it('a channel, a namespace and all together have so many attempts in flight', () => {
  const slots = new SendSlots()
  const first = Array.from({ length: MAX_PER_CHANNEL }, () => enter(slots, 'shop', 'c'))
  expect(first).not.toContain(null)
  expect(enter(slots, 'shop', 'c')).toBeNull()
  for (let i = MAX_PER_CHANNEL; i < MAX_PER_NAMESPACE; i++) expect(enter(slots, 'shop', `c${i}`)).not.toBeNull()
  expect(enter(slots, 'shop', 'other')).toBeNull()
  for (let i = MAX_PER_NAMESPACE; i < MAX_IN_FLIGHT; i++) expect(enter(slots, `n${i}`, 'c')).not.toBeNull()
  expect(enter(slots, 'bank', 'c')).toBeNull()
  first[0]!()
  expect(enter(slots, 'bank', 'c')).not.toBeNull()
})

it('messages of a group to a channel do not overtake each other', () => {
  const slots = new SendSlots()
  const leave = enter(slots, 'shop', 'c', 'group')
  expect(enter(slots, 'shop', 'c', 'group')).toBeNull()
  expect(enter(slots, 'shop', 'd', 'group')).not.toBeNull()
  expect(enter(slots, 'shop', 'c', null)).not.toBeNull()
  leave!()
  expect(enter(slots, 'shop', 'c', 'group')).not.toBeNull()
})
