import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'

/**
 * The statements around a transaction, prepared on one connection. Each goes to a thread of the pool and back once; run as a
 * text it would go three times, and where the cores are taken each time waits for one.
 */
export class TransactionStatements {
  readonly #begin: DuckDBPreparedStatement
  readonly #commit: DuckDBPreparedStatement
  readonly #rollback: DuckDBPreparedStatement

  private constructor(begin: DuckDBPreparedStatement, commit: DuckDBPreparedStatement, rollback: DuckDBPreparedStatement) {
    this.#begin = begin
    this.#commit = commit
    this.#rollback = rollback
  }

  static async prepare(connection: DuckDBConnection): Promise<TransactionStatements> {
    // One by one: where one fails the connection is closed, which must not happen while others are in flight.
    const begin = await connection.prepare('BEGIN')
    const commit = await connection.prepare('COMMIT')
    return new TransactionStatements(begin, commit, await connection.prepare('ROLLBACK'))
  }

  async begin(): Promise<void> {
    await this.#begin.run()
  }

  async commit(): Promise<void> {
    await this.#commit.run()
  }

  /** Rejects without a transaction, for example because the engine has ended it by itself. */
  async rollback(): Promise<void> {
    await this.#rollback.run()
  }

  /** Before the connection is closed. */
  destroy(): void {
    for (const statement of [this.#begin, this.#commit, this.#rollback]) statement.destroySync()
  }
}
