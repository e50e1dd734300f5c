import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../src/domain/errors.js'
import type { KeyId, NamespaceId, UserId } from '../../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace, type NamespaceState } from '../../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../../src/domain/storage-plan.js'
import type { KeyPrincipal, Principal } from '../../../src/domain/principal.js'
import type { IngestRequest } from '../../../src/ingest/ingest-request.js'
import { namespaceOfItems, NamespaceResolution, type ResolvedNamespace } from '../../../src/ingest/resolve-namespace.js'

const idOf = (name: string): NamespaceId => `${name.replaceAll('-', '')}0000000000` as NamespaceId
const namespace = (name: string, state: NamespaceState = 'active'): Namespace => ({
  id: idOf(name),
  name,
  kind: 'team',
  state,
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
})
const ALL = [
  namespace('own'),
  namespace('second'),
  namespace('foreign'),
  namespace('default'),
  namespace('gone', 'deleted'),
  namespace('going', 'deleting'),
  namespace('asleep', 'suspended'),
  namespace('foreign-gone', 'deleted'),
  // Of others, who took the name of a deleted one.
  { ...namespace('taken'), id: idOf('taken-by-others') },
  namespace('taken', 'deleted')
]

const resolver = new NamespaceResolution(
  {
    byId: id => ALL.find(ns => ns.id === id) ?? null,
    byName: name => ALL.find(ns => ns.name === name) ?? null,
    isNamed: (ns, name) => ns.name === name
  },
  { writeNamespace: async (_principal, { id }) => ALL.find(ns => ns.id === (id ?? idOf('own')))! }
)

const key = (...names: string[]): KeyPrincipal => ({
  kind: 'key',
  keyId: 'k' as KeyId,
  keyKind: 'ingest',
  namespaces: names.map(idOf),
  allowedOrigins: []
})
const user: Principal = { kind: 'user', userId: 'u' as UserId, isOperator: false, activeNamespace: idOf('own') }
const request = (parts: Partial<IngestRequest>): IngestRequest => ({
  principal: user,
  body: Buffer.alloc(0),
  form: 'json',
  route: '/x',
  isDryRun: false,
  ack: 'durable',
  ...parts
})

function outcome(resolve: () => ResolvedNamespace): string {
  try {
    const { namespace: found, source } = resolve()
    return `${found.name} by ${source}`
  } catch (error) {
    if (isGatewayError(error)) return error.code
    throw error
  }
}

const KEY = key('own', 'second', 'gone', 'going', 'asleep', 'taken')

describe('the namespace of a write', () => {
  it.each<[string, unknown, Partial<IngestRequest>, KeyPrincipal, string]>([
    ['the body before all', 'second', { headerNamespace: 'own', queryNamespace: 'own' }, KEY, 'second by body'],
    ['the header before the query', undefined, { headerNamespace: 'second', queryNamespace: 'own' }, KEY, 'second by header'],
    ['the query before the key', undefined, { queryNamespace: 'second' }, KEY, 'second by query'],
    ['the key before default', undefined, {}, KEY, 'own by api_key'],
    ['default for a key without namespaces', undefined, {}, key(), 'default by default'],
    ['an empty text counts as not set', '', { headerNamespace: '' }, KEY, 'own by api_key'],
    ['null counts as not set', null, {}, KEY, 'own by api_key'],
    ['a number in the body', 5, {}, KEY, 'invalid_field'],
    ['a namespace of others', 'foreign', {}, KEY, 'namespace_not_allowed'],
    ['one that does not exist', 'nowhere', {}, KEY, 'namespace_not_allowed'],
    ['a deleted one of others', 'foreign-gone', {}, KEY, 'namespace_not_allowed'],
    ['a deleted one of the key', 'gone', {}, KEY, 'namespace_deleted'],
    ['a deleted one of the key whose name others took', 'taken', {}, KEY, 'namespace_deleted'],
    ['the same name for another key', 'taken', {}, key('own'), 'namespace_not_allowed'],
    ['one that is being deleted', 'going', {}, KEY, 'namespace_deleted'],
    ['a suspended one', 'asleep', {}, KEY, 'namespace_not_allowed'],
    ['the deleted first one of the key', undefined, {}, key('gone'), 'namespace_deleted'],
    ['default for a key with namespaces', 'default', {}, KEY, 'namespace_not_allowed'],
    ['another name for a key without namespaces', 'own', {}, key(), 'namespace_not_allowed']
  ])('%s', (_name, ...row) => {
    const [body, parts, principal, expected] = row
    expect(outcome(() => resolver.resolve(request({ ...parts, principal }), principal, body))).toBe(expected)
  })
})

describe('the namespace of a page view and of a batch', () => {
  it('is refused in the same words whether it exists or not', () => {
    const stated = (name: string): string => {
      try {
        resolver.resolve(request({}), KEY, name)
      } catch (error) {
        return (error as Error).message
      }
      return 'allowed'
    }
    expect(stated('foreign')).toBe(stated('nowhere'))
  })

  it.each<[string, Principal, string | undefined, string]>([
    ['the key’s own', key('own', 'second'), undefined, 'own by api_key'],
    ['the key’s own, repeated by its id', key('own'), idOf('own'), 'own by api_key'],
    ['the key’s own, repeated by its name', key('own'), 'own', 'own by api_key'],
    ['another one of the key', key('own', 'second'), idOf('second'), 'namespace_not_allowed'],
    ['one of others', key('own'), idOf('foreign'), 'namespace_not_allowed'],
    ['none for a key without namespaces', key(), undefined, 'namespace_not_allowed'],
    ['a deleted one', key('gone'), undefined, 'namespace_deleted'],
    ['the session’s active one', user, undefined, 'own by session'],
    ['the header’s for a session', user, idOf('second'), 'second by header']
  ])('of a page view is %s', async (_name, principal, headerNamespaceId, expected) => {
    const resolved = await resolver.resolveOfCaller(request({ principal, headerNamespaceId })).then(
      found => () => found,
      (error: unknown) => () => {
        throw error
      }
    )
    expect(outcome(resolved)).toBe(expected)
  })

  it.each<[string, unknown[], string | undefined]>([
    ['the one that all records name', [{ namespace: 'a' }, { namespace: 'a' }], 'a'],
    ['the one that some records name', [{}, { namespace: 'a' }, null, 5], 'a'],
    ['none when they differ', [{ namespace: 'a' }, { namespace: 'b' }], undefined],
    ['none when none is a text', [{ namespace: 5 }, { namespace: '' }], undefined]
  ])('that a batch’s records name is %s', (_name, items, expected) => {
    expect(namespaceOfItems(items)).toBe(expected)
  })
})
