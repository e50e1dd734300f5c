import type { NamespaceId, UserId } from '../domain/ids.js'

/** One rotating refresh token; all tokens that descend from one login share `familyId`. */
export interface RefreshToken {
  readonly id: string
  readonly familyId: string
  readonly userId: UserId
  /** The active namespace of the session. */
  readonly namespaceId: NamespaceId
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** Set once the token was exchanged; a second use ends the family. */
  readonly usedAtMs: number | null
  /** Null while the session is alive. */
  readonly revokedAtMs: number | null
}

/** Refresh tokens of all sessions. Writes resolve once they are crash-safe. */
export interface RefreshTokens {
  /** Stores a new token. */
  insert(token: RefreshToken): Promise<void>
  /** The token with this hash, used and revoked ones too; null without one. */
  byHash(secretHash: string): Promise<RefreshToken | null>
  /** Marks it used; false when it was already used or revoked (the compare-and-set of rotation). */
  markUsed(id: string, atMs: number): Promise<boolean>
  /** Whether any token of the family is not revoked: access tokens of the session are valid only as long. */
  isFamilyLive(familyId: string): Promise<boolean>
  /** Ends one session. */
  revokeFamily(familyId: string, atMs: number): Promise<void>
  /** All families of the user, or all but one. */
  revokeUser(userId: UserId, atMs: number, exceptFamilyId?: string): Promise<void>
  /** Removes tokens that expired before `beforeMs`. */
  deleteExpired(beforeMs: number): Promise<void>
}

/** A signing key of session tokens. */
export interface SigningKey {
  /** Key id in the header of tokens. */
  readonly kid: string
  /** The private JWK as JSON, or sealed by the access use cases; opaque here. */
  readonly privateKey: string
  /** Published as JWK; verifies tokens. */
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly createdAtMs: number
  /** Null while it signs. */
  readonly retiredAtMs: number | null
}

/** Keys that sign access tokens, retired ones included. Writes resolve once they are crash-safe. */
export interface SigningKeys {
  /** All keys, retired ones too. */
  all(): Promise<readonly SigningKey[]>
  /** Stores a new key. */
  insert(key: SigningKey): Promise<void>
  /** The key signs no more; tokens that it signed stay valid until they expire. */
  retire(kid: string, atMs: number): Promise<void>
  /** Replaces how the private key is stored. */
  setPrivate(kid: string, privateKey: string): Promise<void>
}
