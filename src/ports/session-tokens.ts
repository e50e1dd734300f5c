import type { NamespaceId, UserId } from '../domain/ids.js'

/** One rotating refresh token; all tokens that descend from one login share `familyId`. */
export interface RefreshToken {
  readonly id: string
  readonly familyId: string
  readonly userId: UserId
  readonly namespaceId: NamespaceId
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** Set once the token was exchanged; a second use ends the family. */
  readonly usedAtMs: number | null
  readonly revokedAtMs: number | null
}

/** Refresh tokens of all sessions. Writes resolve once they are crash-safe. */
export interface RefreshTokens {
  insert(token: RefreshToken): Promise<void>
  byHash(secretHash: string): Promise<RefreshToken | null>
  /** Marks it used; false when it was already used or revoked (the compare-and-set of rotation). */
  markUsed(id: string, atMs: number): Promise<boolean>
  /** Whether any token of the family is not revoked: access tokens of the session are valid only as long. */
  isFamilyLive(familyId: string): Promise<boolean>
  revokeFamily(familyId: string, atMs: number): Promise<void>
  /** All families of the user, or all but one. */
  revokeUser(userId: UserId, atMs: number, exceptFamilyId?: string): Promise<void>
  deleteExpired(beforeMs: number): Promise<void>
}

/** A signing key of session tokens. */
export interface SigningKey {
  readonly kid: string
  /** The private JWK as JSON, or sealed by the access use cases; opaque here. */
  readonly privateKey: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly createdAtMs: number
  readonly retiredAtMs: number | null
}

/** Keys that sign access tokens, retired ones included. Writes resolve once they are crash-safe. */
export interface SigningKeys {
  all(): Promise<readonly SigningKey[]>
  insert(key: SigningKey): Promise<void>
  retire(kid: string, atMs: number): Promise<void>
  setPrivate(kid: string, privateKey: string): Promise<void>
}
