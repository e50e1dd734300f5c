import { expect, it } from '@jest/globals'
import type { JsonObject } from '../../../src/domain/json.js'
import { flatten } from '../../../src/domain/flatten.js'
import { peerOf } from '../../../src/domain/peer.js'

it.each<[string, JsonObject, ReturnType<typeof peerOf>]>([
  ['a database before all else', { 'db.system': 'redis', 'peer.service': 'cache' }, { kind: 'database', name: 'redis' }],
  ['a queue', { messaging: { system: 'kafka' } }, { kind: 'queue', name: 'kafka' }],
  [
    'the former name of a service',
    { 'peer.service': 'billing', 'server.address': '10.0.0.1' },
    { kind: 'external', name: 'billing' }
  ],
  ['its present name', { 'service.peer.name': 'billing', 'server.address': '10.0.0.1' }, { kind: 'external', name: 'billing' }],
  ['an address', { 'server.address': '10.0.0.1' }, { kind: 'external', name: '10.0.0.1' }],
  ['nothing that is not a string', { 'peer.service': 7, 'server.address': '' }, null]
])('the other end of a call is %s', (_what, attributes, peer) => {
  expect(peerOf({ kind: 'client', attributes: flatten(attributes) })).toEqual(peer)
})

it('only callers have another end', () => {
  expect(peerOf({ kind: 'server', attributes: { 'db.system': 'redis' } })).toBeNull()
})
