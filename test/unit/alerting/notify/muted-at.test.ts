import { expect, it } from '@jest/globals'
import { mutedAt } from '../../../../src/alerting/notify/dispatch/muted-at.js'
import type { NamespaceId } from '../../../../src/domain/ids.js'

const MONDAY_MS = Date.parse('2026-11-23T12:00:00Z')

it('mute times are parsed once for a step, however many groups name them', () => {
  let reads = 0
  const muteTime = (name: string, weekday: string) => ({
    namespaceId: 'shop' as NamespaceId,
    name,
    get intervals(): string {
      reads++
      return JSON.stringify([{ weekdays: [weekday] }])
    }
  })
  const isMuted = mutedAt([muteTime('mondays', 'monday'), muteTime('sundays', 'sunday'), muteTime('unused', 'monday')], MONDAY_MS)
  const names = Array.from({ length: 100 }, (_, i) => ['mondays', 'sundays', 'unknown'][i % 3]!)
  expect(new Set(names.filter(isMuted))).toEqual(new Set(['mondays']))
  expect(reads).toBe(2)
})
