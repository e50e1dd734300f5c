import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fingerprintOf } from '../../../src/alerting/evaluate/fingerprint.js'
import { labelsOf } from '../../support/alert-rules.js'

/** FNV-1a of 64 bits as its definition has it. */
function fnv1a(bytes: readonly number[]): string {
  const hash = bytes.reduce((sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n)
  return hash.toString(16).padStart(16, '0')
}

describe('fingerprints', () => {
  it('are the offset of FNV-1a without labels', () => {
    expect(fingerprintOf([])).toBe('cbf29ce484222325')
  })

  it('are those of Alertmanager: a byte 0xff behind each name and value', () => {
    const anyLabels = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(anyLabels, record => {
        const labels = labelsOf(record)
        const bytes = labels.flatMap(({ name, value }) => [...Buffer.from(name), 0xff, ...Buffer.from(value), 0xff])
        expect(fingerprintOf(labels)).toBe(fnv1a(bytes))
      })
    )
  })

  it('differ for names and values that are joined alike', () => {
    expect(fingerprintOf(labelsOf({ ab: 'c' }))).not.toBe(fingerprintOf(labelsOf({ a: 'bc' })))
  })
})
