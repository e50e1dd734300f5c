import { parseName } from '../../../access/accounts.js'
import {
  CHANNEL_FORMATS,
  CHANNEL_KINDS,
  type ChannelContent,
  MESSAGE_TYPES,
  SIGNATURE_SCHEMES
} from '../../../domain/alerts/channel.js'
import { GatewayError } from '../../../domain/errors.js'

/** A channel as callers write it. */
export interface ChannelInput {
  readonly name: string
  readonly kind: string
  /** URL; absent: that of the stored channel. */
  readonly target?: string | undefined
  readonly format?: string | undefined
  readonly signature?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly enabled?: boolean | undefined
}

function oneOf<T extends string>(value: string, words: readonly T[], field: string): T {
  const found = words.find(word => word === value)
  if (found === undefined) throw new GatewayError('invalid_field', `${field} must be one of ${words.join(', ')}`, { field })
  return found
}

/** Checks the content of a channel. `missing_field` without a name, `invalid_field` for what a channel cannot be. */
export function channelContent({ name, kind, format, signature, events, enabled }: ChannelInput): ChannelContent {
  const shown = parseName(name)
  if (shown === null) throw new GatewayError('missing_field', 'name is required', { field: 'name' })
  const known = oneOf(kind, CHANNEL_KINDS, 'kind')
  if (known !== 'webhook' && ((format ?? 'standard') !== 'standard' || (signature ?? 'v1') !== 'v1')) {
    const field = (format ?? 'standard') !== 'standard' ? 'format' : 'signature'
    throw new GatewayError('invalid_field', `${field} is only for channels of kind webhook`, { field })
  }
  return {
    name: shown,
    kind: known,
    format: oneOf(format ?? 'standard', CHANNEL_FORMATS, 'format'),
    signature: oneOf(signature ?? 'v1', SIGNATURE_SCHEMES, 'signature'),
    events: [...new Set(events ?? [])].map((type, at) => oneOf(type, MESSAGE_TYPES, `events.${at}`)),
    isEnabled: enabled ?? true
  }
}
