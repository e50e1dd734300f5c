import { describe, expect, it } from '@jest/globals'
import { emptyAfter } from '../../../console/src/app/frozen-link.js'

const RETENTION = { logs: '14d', traces: '1h30m', metrics: null, rum: '30d', errors: '30d', rejected: '3d' }
const TO = '2026-11-23T15:00:00.5Z'

describe('the time after which a frozen link is empty', () => {
  it.each([
    ['logs', '2026-12-07T15:00:00.5Z'],
    ['apm', '2026-11-23T16:30:00.5Z'],
    ['metrics', null],
    ['settings', null],
    ['constructor', null]
  ])('of the page %s is %s', (page, expected) => {
    expect(emptyAfter(page, TO, RETENTION)).toBe(expected)
  })
})
