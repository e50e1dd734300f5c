import { SqliteThread } from './sqlite-thread.js'
import type { ThreadOptions } from './thread/messages.js'

/** Keeps a thread for the control database: the next caller after one that ended starts another. */
export class SqliteOwner {
  readonly #entry: string
  readonly #options: ThreadOptions
  #thread: SqliteThread | null = null

  constructor(entry: string, options: ThreadOptions) {
    this.#entry = entry
    this.#options = options
  }

  /** A thread with the database open; one caller at a time. A database in memory is empty again after the thread ended. */
  async thread(): Promise<SqliteThread> {
    if (this.#thread?.isAlive) return this.#thread
    const thread = new SqliteThread(this.#entry, this.#options)
    await thread.opened()
    this.#thread = thread
    return thread
  }

  /** Closes the database after all requests. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }
}
