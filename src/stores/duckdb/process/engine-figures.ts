import type { NamespaceSize } from '../../../ports/stores.js'
import { readManifest } from '../segments/manifest.js'
import type { RecordKind } from '../tables.js'
import type { HotDatabase } from '../write/hot-database.js'
import { TABLE_KINDS } from '../write/schema.js'
import type { EngineComponents } from './engine-components.js'
import { hotSizes, recordsByKind } from './sizes.js'

type Connection = Awaited<ReturnType<HotDatabase['connect']>>

/** Counts what the engine holds. */
export class EngineFigures {
  readonly #parts: EngineComponents

  constructor(parts: EngineComponents) {
    this.#parts = parts
  }

  /** Bytes and records per namespace, hot rows by their share of the hot file. */
  async sizes(): Promise<NamespaceSize[]> {
    const { database, writes } = this.#parts
    await writes.applier.flush()
    return this.#connected(async connection => hotSizes(connection, database, await readManifest(connection)))
  }

  /** Records of each kind, all namespaces together. */
  async recordsByKind(): Promise<Readonly<Record<RecordKind, number>>> {
    await this.#parts.writes.applier.flush()
    return this.#connected(recordsByKind)
  }

  /** Numbers for the service's own metrics. */
  async gauges(): Promise<Readonly<Record<string, number>>> {
    const { writes, snapshots, tables, garbage, damaged, series } = this.#parts
    const segments = await this.#connected(readManifest)
    return {
      ...writes.gauges,
      ...snapshots.gauges,
      segments: segments.length,
      segment_bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      segment_rows: segments.reduce((sum, { rows }) => sum + rows, 0),
      hot_rows: TABLE_KINDS.reduce((sum, kind) => sum + tables.current(kind).rows, 0),
      garbage: garbage.count,
      segments_damaged: damaged.count,
      series: series.size,
      resident_bytes: process.memoryUsage.rss()
    }
  }

  async #connected<T>(count: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#parts.database.connect()
    try {
      return await count(connection)
    } finally {
      connection.closeSync()
    }
  }
}
