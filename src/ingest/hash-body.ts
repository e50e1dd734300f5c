import { createHash } from 'node:crypto'
import type { FairScheduler } from './fair-scheduler.js'

const HASH_SLICE = 1024 * 1024

/** SHA-256 of some strings and then the body, a large one slice by slice, so that the event loop stays free. */
export async function hashBody(before: readonly string[], body: Buffer, scheduler: FairScheduler): Promise<Buffer> {
  const hash = createHash('sha256')
  for (const text of before) hash.update(text)
  for (let at = 0; at < body.length; at += HASH_SLICE) {
    if (at > 0) await scheduler.next()
    hash.update(body.subarray(at, at + HASH_SLICE))
  }
  return hash.digest()
}
