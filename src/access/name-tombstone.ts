import { createHmac } from 'node:crypto'
import type { ControlPorts } from '../ports/control-store.js'
import type { SecretSource } from './secrets.js'

const KEY = 'name_tombstone_key'
const KEY_BYTES = 32
const HASH_CHARS = 32
// No namespace can have this in its name.
const PREFIX = 'deleted:'

/**
 * What replaces the name of a deleted namespace: a keyed hash, by which the name is still known as reserved and as deleted,
 * without the name itself.
 */
export function tombstone(key: string, name: string): string {
  return PREFIX + createHmac('sha256', key).update(name).digest('hex').slice(0, HASH_CHARS)
}

/** Whether a name is the tombstone of a deleted namespace. */
export function isTombstone(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** Key of the tombstones; null before the first tombstone. */
export function tombstoneKey({ settings }: Pick<ControlPorts, 'settings'>): Promise<string | null> {
  return settings.get(KEY)
}

/** Key of the tombstones, made by the first that needs it. */
export function makeTombstoneKey({ settings }: Pick<ControlPorts, 'settings'>, secrets: SecretSource): Promise<string> {
  return settings.setOnce(KEY, Buffer.from(secrets.bytes(KEY_BYTES)).toString('hex'))
}
