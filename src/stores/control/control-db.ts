import type { Kysely, Transaction } from 'kysely'
import type { ControlSchema } from './schema.js'

/** The database or a transaction of it: ports run alike on both. */
export type ControlDb = Kysely<ControlSchema>

/** Thrown by a dialect when a row's unique value is taken, whatever the engine calls it. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('a unique value already exists', { cause })
    this.name = 'UniqueViolation'
  }
}

/** Runs several statements as one: in the transaction that `db` is, else in one of its own. */
export function atomically<T>(db: ControlDb, work: (trx: ControlDb) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute((trx: Transaction<ControlSchema>) => work(trx))
}
