import type { Break } from './break.js'

const WALK = 'test/api/isolation\\.test'
const GRAPHQL_WALK = 'test/api/isolation-graphql\\.test'

/** Promises about the isolation of namespaces and the rights of roles. */
export const ISOLATION: readonly Break[] = [
  {
    promise: 'rows of the hot tables are those of one namespace',
    file: 'src/stores/duckdb/read/source.ts',
    find: 'const where = `ns = ${params.add(scope.ns)} AND ${inRange(scope.range, params)}`',
    replace: 'const where = inRange(scope.range, params)',
    tests: WALK
  },
  {
    promise: 'the same, seen through GraphQL',
    file: 'src/stores/duckdb/read/source.ts',
    find: 'const where = `ns = ${params.add(scope.ns)} AND ${inRange(scope.range, params)}`',
    replace: 'const where = inRange(scope.range, params)',
    tests: GRAPHQL_WALK
  },
  {
    promise: 'a record found by its id is one of the own namespace',
    file: 'src/stores/duckdb/read/get-record.ts',
    find: 'find(params => hotSql(table, columnsSql(scope), scope, params))',
    replace: 'find(() => `SELECT * FROM ${table}`)',
    tests: GRAPHQL_WALK
  },
  {
    promise: 'segments are those of one namespace',
    file: 'src/stores/duckdb/process/duckdb-snapshots.ts',
    find: 'FROM hot.main.segments WHERE kind = $1 AND ns = $2',
    replace: "FROM hot.main.segments WHERE kind = $1 AND ns <> $2 || '!'",
    tests: 'test/stores/duckdb-contract\\.test|test/stores/duckdb-segments'
  },
  {
    promise: 'a cursor is good in one namespace only',
    file: 'src/query/cursor.ts',
    find: 'scope.list, scope.namespace, scope.filter',
    replace: 'scope.list, scope.filter',
    tests: `${WALK}|test/unit/query`
  },
  {
    promise: 'a read names a namespace of which the caller is a member',
    file: 'src/access/authorizer.ts',
    find: "    await this.requireRole(principal, namespace.id, 'viewer')\n",
    replace: '',
    tests: WALK
  },
  {
    promise: 'a key writes only where it may',
    file: 'src/access/requested-namespace.ts',
    find: '  return key.namespaces.includes(namespace.id)\n',
    replace: '  return true\n',
    tests: WALK
  },
  {
    promise: 'only admins change or delete a namespace',
    file: 'src/access/namespace-service.ts',
    find: "    await this.#deps.authorizer.requireRole(principal, ns, 'admin')\n",
    replace: '',
    tests: WALK
  },
  {
    promise: 'only admins list the keys of a namespace',
    file: 'src/access/api-key-service.ts',
    find: "    await this.#deps.authorizer.requireRole(principal, namespaceId, 'admin')\n",
    replace: '',
    tests: WALK
  },
  {
    promise: 'a lower role does not do what a higher one may',
    file: 'src/domain/role.ts',
    find: 'return ROLES.indexOf(role) >= ROLES.indexOf(needed)',
    replace: 'return needed.length > 0 && role.length > 0',
    tests: WALK
  },
  {
    promise: 'a browser key is used from its own pages only',
    file: 'src/access/origins.ts',
    find: 'return allowed.includes(origin === undefined ? OPAQUE : origin.toLowerCase())',
    replace: 'return allowed.length > 0 || origin === OPAQUE',
    tests: 'test/api/identity\\.test'
  }
]
