import { parentPort, workerData } from 'node:worker_threads'
import Database from 'libsql'
import type { Fault, StatementResult, ThreadOptions, ThreadReply, ThreadRequest } from './messages.js'
import { OPENED } from './messages.js'

// Entry of the thread that owns the control database: each commit waits for the disk here instead of on the event loop.
const MAX_OPEN_ATTEMPTS = 50
const OPEN_PAUSE_MS = 20
const NOTHING: StatementResult = { rows: [] }

function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error), code: '' }
  return { message: error.message, code: 'code' in error && typeof error.code === 'string' ? error.code : '' }
}

/** Another process that opens the file at this moment locks it, and `busy_timeout` does not apply to the change to WAL. */
function untilFree(work: () => void): void {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (attempt === MAX_OPEN_ATTEMPTS || !toFault(error).code.startsWith('SQLITE_BUSY')) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS)
  }
}

function open({ file, pragmas }: ThreadOptions): Database.Database {
  const database = new Database(file)
  for (const pragma of pragmas) untilFree(() => database.exec(`PRAGMA ${pragma}`))
  return database
}

function query(database: Database.Database, sql: string, parameters: readonly unknown[]): StatementResult {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], changes, lastInsertRowid }
}

// A deferred transaction that read first would fail with SQLITE_BUSY at its first write while another writer is active.
// `exec` and not a prepared statement: libsql leaves one that met SQLITE_BUSY unfinished, and then no commit succeeds.
function beginWith(database: Database.Database, sql: string, parameters: readonly unknown[]): StatementResult {
  database.exec('begin immediate')
  try {
    return query(database, sql, parameters)
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

function run(database: Database.Database, request: Exclude<ThreadRequest, { kind: 'close' }>): StatementResult {
  if (request.kind === 'query') return query(database, request.sql, request.parameters)
  if (request.kind === 'begin') return beginWith(database, request.sql, request.parameters)
  // SQLite rolls back by itself on a full disk; a second rollback would hide the error that reports it.
  if (request.kind === 'exec') database.exec(request.sql)
  else if (database.inTransaction) database.exec('rollback')
  return NOTHING
}

function attempt(id: number, work: () => StatementResult): ThreadReply {
  try {
    return { id, result: work() }
  } catch (error) {
    return { id, fault: toFault(error) }
  }
}

function serve(): void {
  const port = parentPort
  if (!port) throw new Error('this is the entry of a thread')
  let database: Database.Database | null = null
  const opened = attempt(OPENED, () => {
    database = open(workerData as ThreadOptions)
    return NOTHING
  })
  port.postMessage(opened)
  if (database === null) return
  const owned: Database.Database = database
  port.on('message', (request: ThreadRequest) => {
    if (request.kind !== 'close') return port.postMessage(attempt(request.id, () => run(owned, request)))
    port.close()
    return owned.close()
  })
}

serve()
