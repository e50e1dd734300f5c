import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { ControlChange } from '../../ports/control-changes.js'

/** What a notification of the database says. What a newer version may tell counts as `anything`. */
export function parseChange(text: string): ControlChange {
  const [kind, ...parts] = text.split(' ')
  const [first = '', second = ''] = parts
  switch (kind) {
    case 'namespace':
      return { kind, namespaceId: first as NamespaceId }
    case 'member':
      return { kind, namespaceId: first as NamespaceId, userId: second as UserId }
    case 'user':
      return { kind, userId: first as UserId }
    case 'key':
      return { kind, hashes: [...new Set(parts)] }
    case 'session':
      return { kind, familyId: first }
    case 'series':
      return { kind, namespaceId: first as NamespaceId }
    case 'signing_keys':
      return { kind }
    default:
      return { kind: 'anything' }
  }
}
