import { hostname } from 'node:os'
import { expect, it } from '@jest/globals'
import { hostId } from '../../agent/src/host-id.js'

const none = (): string => {
  throw new Error('ENOENT')
}

it('is made of the machine id, which it does not show, else of the host name, and states which', () => {
  const ofMachine = hostId(() => '0123456789abcdef0123456789abcdef\n')
  expect(ofMachine).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), from: '/etc/machine-id' })
  expect(ofMachine.id).not.toContain('0123456789abcdef')
  const others = [hostId(none), hostId(() => '\n')]
  expect(others.map(({ from }) => from)).toEqual(['the host name', 'the host name'])
  expect(new Set([ofMachine.id, ...others.map(({ id }) => id)]).size).toBe(2)
  expect(others[0]!.id).not.toContain(hostname())
})
