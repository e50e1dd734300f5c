import type { KeyId } from '../domain/ids.js'
import type { Clock } from '../ports/clock.js'
import type { ApiKey } from '../ports/api-keys.js'
import type { ControlStore } from '../ports/control-store.js'
import type { Seat } from './accounts.js'
import { Accounts } from './accounts.js'
import { AuditTrail } from './audit-service.js'
import { DEFAULT_NAMESPACE } from './requested-namespace.js'
import type { ScryptCost } from './passwords.js'
import { DEFAULT_SCRYPT_COST, PasswordHasher } from './passwords.js'
import { LOCAL_SEAT } from './fair-queue.js'
import { SecretSource, sha256Hex } from './secrets.js'

/** Account of the first operator. */
export const OPERATOR_EMAIL = 'admin@localhost'
const PASSWORD_LENGTH = 24
const SHOWN_OF_SECRET = 'ali_ingest_'.length + 6

/** Shown once, never again. */
export interface FirstCredentials {
  readonly email: string
  /** Null when the installation gave the password (then it is not ours to show). */
  readonly password: string | null
  readonly namespace: string
  readonly namespaceId: string
  readonly ingestKey: string
}

/** Dependencies of `firstStart`. */
export interface FirstStartDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly randomBytes: (n: number) => Uint8Array
  /** From `ALIDADE_ADMIN_PASSWORD_FILE`; absent: one is made up. */
  readonly password?: string
  readonly scryptCost?: ScryptCost
}

/** Makes operator, namespace `default` and ingest key in one transaction; null when there is a user already. */
export async function firstStart(deps: FirstStartDeps): Promise<FirstCredentials | null> {
  const { store, clock } = deps
  if ((await store.users.count()) > 0) return null
  const secrets = new SecretSource(deps.randomBytes)
  const password = deps.password ?? secrets.id(PASSWORD_LENGTH)
  const passwordHash = await new PasswordHasher(secrets, deps.scryptCost ?? DEFAULT_SCRYPT_COST, clock).hash(password, LOCAL_SEAT)
  const accounts = new Accounts(clock, secrets, new AuditTrail(clock, secrets))
  const ingestKey = secrets.secret('ali_ingest_')
  const seat = await store.transaction(async ports => {
    // Checked again inside: another start may have been faster.
    if ((await ports.users.count()) > 0) return null
    const user = await accounts.addUser(ports, { email: OPERATOR_EMAIL, name: 'Operator', passwordHash, isOperator: true })
    const seat = await accounts.addNamespace(ports, user.id, { name: DEFAULT_NAMESPACE, kind: 'team' })
    await ports.apiKeys.insert(
      firstKey(ingestKey, { id: secrets.id() as KeyId, createdBy: user.id, createdAtMs: clock.nowMs() }, seat)
    )
    return seat
  })
  if (!seat) return null
  const { name, id } = seat.namespace
  return {
    email: OPERATOR_EMAIL,
    password: deps.password === undefined ? password : null,
    namespace: name,
    namespaceId: id,
    ingestKey
  }
}

function firstKey(secret: string, made: Pick<ApiKey, 'id' | 'createdBy' | 'createdAtMs'>, seat: Seat): ApiKey {
  return {
    ...made,
    name: 'first key',
    kind: 'ingest',
    namespaces: [seat.namespace.id],
    allowedOrigins: [],
    prefix: secret.slice(0, SHOWN_OF_SECRET),
    secretHash: sha256Hex(secret),
    previousHash: null,
    previousUntilMs: null,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null
  }
}
