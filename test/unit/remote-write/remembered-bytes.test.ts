import { describe, expect, it } from '@jest/globals'
import { RememberedBytes } from '../../../src/wire/protobuf/remembered-bytes.js'

function bytesOf(i: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32LE(i, 4)
  bytes.writeInt32LE(Math.imul(i, 0x85ebca6b), 8)
  return bytes
}

const COUNT = 300_000

/** Which of so many bytes are forgotten since later ones have the same hash. */
function forgottenOf(memory: RememberedBytes<number>): readonly number[] {
  for (let i = 0; i < COUNT; i++) keep(memory, bytesOf(i), i)
  const forgotten: number[] = []
  for (let i = 0; i < COUNT; i++) {
    const found = find(memory, bytesOf(i))
    if (found === undefined) forgotten.push(i)
    else if (found !== i) throw new Error(`${found} for ${i}`)
  }
  return forgotten
}

function keep<T>(memory: RememberedBytes<T>, bytes: Buffer, value: T, valueBytes = 0): void {
  memory.keep(bytes, 0, bytes.length, value, valueBytes)
}

function find<T>(memory: RememberedBytes<T>, bytes: Buffer): T | undefined {
  return memory.find(bytes, 0, bytes.length)
}

describe('values remembered by bytes', () => {
  it('are found for the same bytes at any place, also after those that were kept have been overwritten', () => {
    const memory = new RememberedBytes<string>(1_000_000)
    const bytes = Buffer.from('..labels..')
    memory.keep(bytes, 2, 8, 'value', 10)
    bytes.fill(0)
    expect(memory.find(Buffer.from('labels'), 0, 6)).toBe('value')
    for (const other of ['label', 'labels.', 'labelz', '']) expect(find(memory, Buffer.from(other))).toBeUndefined()
  })

  it('are never returned for other bytes of the same hash', () => {
    const forgotten = forgottenOf(new RememberedBytes<number>(1_000_000_000))
    // So many bytes have some hashes in common.
    expect(forgotten.length).toBeGreaterThan(0)
    expect(forgotten.length).toBeLessThan(100)
  })

  it('have hashes that no one can foretell without the seed', () => {
    const [some, others] = [1, 2].map(seed => forgottenOf(new RememberedBytes<number>(1_000_000_000, seed)))
    expect(some!.length).toBeGreaterThan(0)
    expect(some).not.toEqual(others)
  })

  it('stay within the bound, and what is requested stays longest', () => {
    const bound = 20_000
    const memory = new RememberedBytes<number>(bound)
    for (let i = 0; i < 1_000; i++) {
      keep(memory, bytesOf(i), i, 100)
      expect(memory.bytes).toBeLessThanOrEqual(bound)
      expect(find(memory, bytesOf(0))).toBe(0)
    }
    expect(memory.bytes).toBeGreaterThan(bound / 2)
    expect(find(memory, bytesOf(999))).toBe(999)
    expect(find(memory, bytesOf(1))).toBeUndefined()
  })

  it('are not kept when one alone would take half of the bound', () => {
    const memory = new RememberedBytes<string>(10_000)
    keep(memory, Buffer.alloc(10), 'small')
    keep(memory, Buffer.alloc(6_000), 'large')
    keep(memory, Buffer.alloc(20), 'costly', 6_000)
    expect([10, 6_000, 20].map(length => find(memory, Buffer.alloc(length)))).toEqual(['small', undefined, undefined])
  })
})
