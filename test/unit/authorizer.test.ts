import { expect, it } from '@jest/globals'
import { Authorizer } from '../../src/access/authorizer.js'
import { tombstone } from '../../src/access/name-tombstone.js'
import type { Roles } from '../../src/access/roles.js'
import type { NamespaceId, UserId } from '../../src/domain/ids.js'
import type { Namespace } from '../../src/domain/namespace.js'
import type { NamespaceDirectory } from '../../src/ports/namespace-directory.js'

it('names a deleted namespace by its id once its name is a tombstone', async () => {
  const id = 'namespace0123456789a' as NamespaceId
  const namespace = { id, name: tombstone('key', 'shop'), state: 'deleted' } as Namespace
  const directory = { byId: () => namespace, byName: () => null } as unknown as NamespaceDirectory
  const authorizer = new Authorizer(directory, { of: async () => 'viewer' } as unknown as Roles)
  const user = { kind: 'user', userId: 'u' as UserId, isOperator: false, activeNamespace: id } as const
  const detail = `the namespace ${id} is deleted`
  await expect(authorizer.readNamespace(user, { id })).rejects.toMatchObject({ code: 'not_found', message: detail })
})
