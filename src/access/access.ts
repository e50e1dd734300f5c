import { attemptEach } from '../domain/attempt-each.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Clock } from '../ports/clock.js'
import type { BackgroundJobs } from '../ports/background-jobs.js'
import type { ControlChange } from '../ports/control-changes.js'
import type { ControlStore } from '../ports/control-store.js'
import type { RecordSpool } from '../ports/record-spool.js'
import type { KnownSizes } from '../ports/stores.js'
import type { Timers } from '../ports/timers.js'
import { Accounts } from './accounts.js'
import { ApiKeyService } from './api-key-service.js'
import { AuditService, AuditTrail } from './audit-service.js'
import { Authorizer } from './authorizer.js'
import { cacheAge } from './cache-age.js'
import { CredentialLookups } from './credential-lookups.js'
import { Directory } from './directory.js'
import type { Following } from './follow-changes.js'
import { ErrorGroupService } from './error-group-service.js'
import { LogRuleService } from './log-rule-service.js'
import { PatternService } from './pattern-service.js'
import { PreferenceService } from './preference-service.js'
import { SavedViewService } from './saved-view-service.js'
import { followChanges } from './follow-changes.js'
import { InvitationService } from './invitation-service.js'
import { KeyVerifier } from './key-verifier.js'
import { MemberService } from './member-service.js'
import { NamespaceRemoval } from './namespace-removal.js'
import { NamespaceService } from './namespace-service.js'
import { PasswordChange } from './password-change.js'
import type { ScryptCost } from './passwords.js'
import { DEFAULT_SCRYPT_COST, PasswordHasher } from './passwords.js'
import { RefusalDelay } from './refusal-delay.js'
import { Roles } from './roles.js'
import { Purge } from './purge.js'
import { SealedLogRules } from './sealed-log-rules.js'
import { SealedSigningKeys } from './sealed-signing-keys.js'
import type { SecretKeys } from './secret-box.js'
import { SecretBox } from './secret-box.js'
import { SecretSource } from './secrets.js'
import { SessionSigner } from './session-signer.js'
import { Sessions } from './sessions.js'
import type { RegistrationMode } from './sign-in.js'
import { SignIn } from './sign-in.js'
import { SignInThrottle } from './sign-in-throttle.js'
import { UsageService } from './usage-service.js'

const IDEMPOTENCY_KEPT_MS = 48 * 3_600_000
const AUDIT_KEPT_MS = 400 * 86_400_000
const NO_KEYS: SecretKeys = { current: null, previous: null }
/** Audit entries that one statement deletes: others wait for it. */
const AUDIT_BATCH = 1_000

/** Dependencies of `openAccess`. */
export interface AccessDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly timers: Timers
  /** One that others use too; a new one when absent. */
  readonly directory?: Directory
  /** Cryptographically random bytes. */
  readonly randomBytes: (n: number) => Uint8Array
  readonly registration: RegistrationMode
  /** `iss` of session tokens: the public URL or `alidade`. */
  readonly issuer: string
  /** Removes all telemetry of a namespace; idempotent. */
  readonly dropData: (ns: NamespaceId) => Promise<void>
  /** Sizes per namespace, for operators. */
  readonly sizes: () => Promise<KnownSizes>
  readonly jobs: BackgroundJobs
  /** Seal secrets of the control store; absent: they are stored as they are. */
  readonly secretKeys?: SecretKeys
  /** Called after a user changed their password, before the response. */
  readonly onPasswordChanged?: () => Promise<void>
  /** How long entries of the audit log are kept; 400 days when absent. */
  readonly auditRetentionMs?: number
  /** Called after each change in the control store, once all caches here have followed it. */
  readonly onChange?: (change: ControlChange) => void
  /** What waits of a namespace for its stores; nothing when absent. */
  readonly waiting?: RecordSpool['waiting']
  readonly scryptCost?: ScryptCost
}

/** All identity use cases, wired. */
export interface Access {
  readonly signIn: SignIn
  readonly sessions: Sessions
  readonly passwordChange: PasswordChange
  readonly keys: KeyVerifier
  readonly apiKeys: ApiKeyService
  readonly namespaces: NamespaceService
  readonly members: MemberService
  readonly invitations: InvitationService
  readonly audit: AuditService
  readonly errorGroups: ErrorGroupService
  readonly patterns: PatternService
  readonly logRules: LogRuleService
  /** Rules for records, as the control store has them. */
  readonly sealedRules: SealedLogRules
  readonly savedViews: SavedViewService
  readonly preferences: PreferenceService
  readonly usage: UsageService
  readonly authorizer: Authorizer
  readonly directory: Directory
  /** Once a minute: flushes `last_used_at`, forgets what expired, rotates signing keys, carries on with deletions. */
  housekeeping(): Promise<void>
  /** Waits for deletions in progress and flushes what is only in memory; before the stores close. */
  close(): Promise<void>
}

/** Wires the identity use cases over the control store, loads the directory, sees to a signing key and carries on with deletions. */
export async function openAccess(deps: AccessDeps): Promise<Access> {
  const { store, clock } = deps
  const age = cacheAge(store.changes)
  const secrets = new SecretSource(deps.randomBytes)
  const audit = new AuditTrail(clock, secrets)
  const directory = deps.directory ?? new Directory(store, clock)
  const roles = new Roles(store, clock, age)
  const purge = new Purge(store, secrets)
  const removal = new NamespaceRemoval({ ...deps, audit, directory, secrets, purge })
  const authorizer = new Authorizer(directory, roles)
  const accounts = new Accounts(clock, secrets, audit)
  const box = new SecretBox(deps.secretKeys ?? NO_KEYS, deps.randomBytes)
  const sealed = new SealedSigningKeys(box)
  const sealedRules = new SealedLogRules(box)
  await sealed.reseal(store, purge)
  await sealedRules.reseal(store, purge)
  await purge.run()
  const signer = new SessionSigner({ ...deps, secrets, sealed })
  const shared = { store, clock, secrets, audit, authorizer, directory, roles, accounts }
  const lookups = new CredentialLookups(clock)
  const sessions = new Sessions({ ...shared, signer, cacheAge: age, lookups })
  const members = new MemberService(shared)
  const invitations = new InvitationService({ ...shared, members, lookups })
  const keys = new KeyVerifier(store, clock, age, lookups)
  const passwords = new PasswordHasher(secrets, deps.scryptCost ?? DEFAULT_SCRYPT_COST, clock)
  const throttle = new SignInThrottle(clock)
  const refusals = new RefusalDelay(deps.timers)
  const following = followChanges(store.changes, { ...deps, directory, roles, keys, sessions, signer })
  await Promise.all([directory.load(), signer.rotateIfDue()])
  await removal.resume()
  return {
    signIn: new SignIn({ ...shared, ...deps, passwords, throttle, refusals, sessions, invitations }),
    sessions,
    passwordChange: new PasswordChange({ ...shared, ...deps, passwords, throttle, sessions }),
    keys,
    apiKeys: new ApiKeyService({ ...shared, verifier: keys }),
    namespaces: new NamespaceService({ ...shared, removal, sizes: deps.sizes }),
    members,
    invitations,
    audit: new AuditService(store, authorizer),
    errorGroups: new ErrorGroupService(shared),
    patterns: new PatternService(shared),
    ...{ logRules: new LogRuleService({ ...shared, sealedRules }), sealedRules },
    savedViews: new SavedViewService(shared),
    preferences: new PreferenceService(store),
    usage: new UsageService(store, authorizer, clock, deps.waiting ?? (() => [])),
    authorizer,
    directory,
    housekeeping: () =>
      keepHouse({ store, clock, keys, removal, signer, purge, auditKeptMs: deps.auditRetentionMs ?? AUDIT_KEPT_MS }),
    close: () => close({ keys, removal, following, jobs: deps.jobs })
  }
}

interface Housekeeping {
  readonly store: ControlStore
  readonly clock: Clock
  readonly keys: KeyVerifier
  readonly removal: NamespaceRemoval
  readonly signer: SessionSigner
  readonly purge: Purge
  readonly auditKeptMs: number
}

async function keepHouse({ store, clock, keys, removal, signer, purge, auditKeptMs }: Housekeeping): Promise<void> {
  const now = clock.nowMs()
  await attemptEach([
    async () => removal.prolongReservations(await keys.flushUses()),
    () => removal.resume(),
    () => store.refreshTokens.deleteExpired(now),
    () => store.idempotency.deleteBefore(now - IDEMPOTENCY_KEPT_MS),
    () => signer.rotateIfDue(),
    () => purge.run(),
    () => deleteOldAudit(store, now - auditKeptMs)
  ])
}

async function deleteOldAudit(store: ControlStore, beforeMs: number): Promise<void> {
  let deleted = AUDIT_BATCH
  while (deleted === AUDIT_BATCH) deleted = await store.audit.deleteBefore(beforeMs, AUDIT_BATCH)
}

interface Closing extends Pick<Housekeeping, 'keys' | 'removal'>, Pick<AccessDeps, 'jobs'> {
  readonly following: Following
}

async function close({ keys, removal, following, jobs }: Closing): Promise<void> {
  await following.stop()
  await removal.settled()
  // A database that is down must not prevent a stop.
  await jobs.run('key_uses', async () => removal.prolongReservations(await keys.flushUses()))
}
