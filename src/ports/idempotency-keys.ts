import type { IngestId } from '../domain/ids.js'

/** Reservation of an `Idempotency-Key`: pins the ingest id, so that a repeat after a crash stores nothing twice. */
export interface IdempotencyRecord {
  /** Hash over namespace, credential, route and the header's value. */
  readonly scope: string
  readonly bodyHash: string
  readonly ingestId: IngestId
  readonly createdAtMs: number
  /** The first result as JSON `{status, body}`; null while it is not known. */
  readonly reply: string | null
  /** The request was rejected: another body may take over the key. The same body keeps its ingest id. */
  readonly isRefused: boolean
}

/** The identity of one reservation: a key that was taken over has another ingest id. */
export type IdempotencyReservation = Pick<IdempotencyRecord, 'scope' | 'ingestId'>

/** Reservations of `Idempotency-Key`s. A change of one that is gone, or that another request took over, does nothing. */
export interface IdempotencyKeys {
  /** Inserts the record unless the scope is taken; returns the stored one. */
  reserve(record: IdempotencyRecord): Promise<IdempotencyRecord>
  /** Keeps the result; it replaces a refusal. */
  complete(reservation: IdempotencyReservation, reply: string): Promise<void>
  /** Marks the request as rejected, unless another attempt of it has a result. */
  refuse(reservation: IdempotencyReservation): Promise<void>
  /** Removes the reservation. */
  release(reservation: IdempotencyReservation): Promise<void>
  deleteBefore(atMs: number): Promise<void>
}
