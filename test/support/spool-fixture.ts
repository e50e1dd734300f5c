import { join } from 'node:path'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import type { Batch } from '../../src/ports/append.js'
import type { ReplayedRecords } from '../../src/ports/record-spool.js'
import type { SpoolLimits } from '../../src/stores/spool/limits.js'
import { openSpool, type OpenedSpool } from '../../src/stores/spool/open-spool.js'
import { ManualTime } from './manual-time.js'
import { ScriptedEngine } from './scripted-engine.js'
import { openTempFolder } from './temp-folder.js'
import { quietJobs, SILENT_LOGGER } from './quiet-jobs.js'
import { EMPTY_LOG } from './empty-log.js'

export const NS = 'nsspool0001' as NamespaceId
export const OTHER = 'nsspool0002' as NamespaceId

let batches = 0

/** A batch of logs under an id of its own, later than all before. */
export function newBatch(records = 1, text = 'message'): Batch<LogRecord> {
  const ingestId = `01JSPOOL${String(++batches).padStart(18, '0')}` as IngestId
  return { ingestId, items: Array.from({ length: records }, (_, index) => logOf(index, `${text} ${index}`)) }
}

function logOf(index: number, message: string): LogRecord {
  return {
    ...EMPTY_LOG,
    index,
    timestampNs: 1_763_700_000_000_000_001n + BigInt(index),
    message,
    level: 'info',
    levelText: 'INFO',
    severityNumber: 9,
    service: 'checkout',
    fields: JSON.parse('{"__proto__":{"a":1},"n":-0,"big":"9007199254740993"}') as LogRecord['fields']
  }
}

/** Small disks of test machines must not fail the tests. */
const LIMITS: Partial<SpoolLimits> = { minFreeBytes: 0 }

/** A spool in a temporary folder before a scripted engine, with a manual clock; `restart` opens the same folder again. */
export class SpoolFixture {
  readonly time = new ManualTime()
  readonly script = new ScriptedEngine()
  readonly replayed: ReplayedRecords[] = []
  readonly folder: string
  readonly #remove: () => Promise<void>
  #limits: Partial<SpoolLimits>
  #spool: OpenedSpool | null = null
  #engine: ScriptedEngine['engine'] | null = null
  #onReplayed: (() => void)[] = []

  private constructor(folder: Awaited<ReturnType<typeof openTempFolder>>, limits: Partial<SpoolLimits>) {
    this.folder = join(folder.path, 'spool')
    this.#remove = () => folder.remove()
    this.#limits = { ...LIMITS, ...limits }
  }

  static async open(limits: Partial<SpoolLimits> = {}): Promise<SpoolFixture> {
    const fixture = new SpoolFixture(await openTempFolder(), limits)
    await fixture.start()
    return fixture
  }

  get spool(): OpenedSpool {
    return this.#spool!
  }

  /** The wrapped stores. */
  get engine(): ScriptedEngine['engine'] {
    return this.#engine!
  }

  async start(): Promise<void> {
    this.#spool = await openSpool({
      folder: this.folder,
      clock: this.time,
      timers: this.time,
      random: () => 0,
      logger: SILENT_LOGGER,
      jobs: quietJobs(),
      limits: this.#limits,
      lockWaitMs: 0
    })
    this.#engine = this.#spool.spooled(this.script.engine)
    this.#spool.start(outcome => {
      this.replayed.push(outcome)
      for (const notify of this.#onReplayed.splice(0)) notify()
    })
  }

  async restart(): Promise<void> {
    await this.spool.close()
    await this.start()
  }

  /** Resolves when so many records have ended in all. */
  async ended(records: number): Promise<void> {
    const sum = (): number => this.replayed.reduce((total, { stored, rejected }) => total + stored + rejected, 0)
    while (sum() < records) await new Promise<void>(resolve => this.#onReplayed.push(resolve))
  }

  /** Message ids of one namespace in the order in which the engine stored them. */
  storedIds(signal = 'logs', ns = NS): readonly string[] {
    return this.script.stored.get(`${signal} ${ns}`) ?? []
  }

  async close(): Promise<void> {
    await this.spool.close()
    await this.#remove()
  }
}
