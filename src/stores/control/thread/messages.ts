/** What the thread that owns the control database is started with. */
export interface ThreadOptions {
  readonly file: string
  readonly pragmas: readonly string[]
}

/** Requests to the thread; it responds in their order. */
export type ThreadRequest =
  | { readonly id: number; readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** Begins a transaction with its first statement; none is open after an error of either. */
  | { readonly id: number; readonly kind: 'begin'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** Statements without parameters and rows. */
  | { readonly id: number; readonly kind: 'exec'; readonly sql: string }
  /** Rolls back when a transaction is open. */
  | { readonly id: number; readonly kind: 'rollback' }
  /** Closes the database and ends the thread; has no result. */
  | { readonly id: number; readonly kind: 'close' }

/** What one statement found or changed. */
export interface StatementResult {
  readonly rows: readonly unknown[]
  readonly changes?: number
  readonly lastInsertRowid?: number | bigint
}

/** An error without what a message cannot carry. */
export interface Fault {
  readonly message: string
  /** SQLite's name of the error, empty for others. */
  readonly code: string
}

/** Response to one request; the id `OPENED` is that of the start. */
export type ThreadReply =
  | { readonly id: number; readonly result: StatementResult }
  | { readonly id: number; readonly fault: Fault }

/** Id of the first reply: the database is open, or why it is not. */
export const OPENED = 0
