import { describe, expect, it } from '@jest/globals'
import { searchOf, signalOfPath, stateOf } from '../../../console/src/url/saved-state.js'

describe('saved views', () => {
  it('keep the query string without what belongs to one look at the page', () => {
    const search = { q: 'a', level: ['warn', 'error'], sel: '1', live: '1', v: '2', other: 'kept' }
    expect(stateOf(search)).toEqual({ q: 'a', level: ['warn', 'error'], other: 'kept' })
    expect(searchOf(stateOf(search))).toEqual({ q: 'a', level: ['warn', 'error'], other: 'kept' })
  })

  it('leave out what is not a query string, since others wrote them', () => {
    const state = JSON.parse('{"q":1,"level":["a",2],"__proto__":"x","v":"3","from":null,"to":"now"}') as Record<string, unknown>
    expect(searchOf(state)).toEqual({ to: 'now' })
  })

  it.each([
    ['/n/prod/logs', 'LOGS'],
    ['/base/n/prod/traces', 'SPANS'],
    ['/n/prod/traces/4bf92f3577b34da6a3ce929d0e0e4736', null],
    ['/n/logs/settings', null],
    ['/n/prod/constructor', null]
  ])('of the page %s are those of %s', (path, signal) => {
    expect(signalOfPath(path)).toBe(signal)
  })
})
