import { describe, expect, it } from '@jest/globals'
import type { KeyId, NamespaceId } from '../../../src/domain/ids.js'
import type { KeyPrincipal } from '../../../src/domain/principal.js'
import { budgetCallerOf } from '../../../src/http/body-caller.js'

const page: KeyPrincipal = {
  kind: 'key',
  keyId: 'k1' as KeyId,
  keyKind: 'rum',
  namespaces: ['ns1' as NamespaceId],
  allowedOrigins: []
}

describe('whose share of the budget a body takes', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    // Node writes IPv4 addresses so where it listens on `::`.
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.2', '192.0.2.2'],
    ['2001:db8:1:2:3::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64']
  ])('the address %s counts as %s', (address, network) => {
    expect(budgetCallerOf(null, { ip: address })).toEqual({ kind: 'anonymous', group: network, id: '' })
    expect(budgetCallerOf(page, { ip: address })).toEqual({ kind: 'browser', group: 'ns1', id: `k1 ${network}` })
  })
})
