import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: 48 bits of the time, 80 random bits. */
export function newStreamId(nowMs: number): string {
  let bits = (BigInt(nowMs) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`)
  let id = ''
  for (let i = 0; i < 26; i++) {
    id = ALPHABET[Number(bits & 31n)]! + id
    bits >>= 5n
  }
  return id
}
