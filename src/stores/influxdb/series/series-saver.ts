import { diagnosisOf } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { JobMonitor } from '../../../ports/background-jobs.js'
import type { SeriesCatalog } from '../../../ports/series-catalog.js'
import { noteSaved, toCatalog, type Series } from './series.js'

interface Round {
  readonly series: Set<Series>
  readonly done: Promise<void>
  start(): void
}

/** What is wrong: for everybody, and with the cause for operators; empty when all is well. */
export interface SaverTrouble {
  readonly detail: string
  readonly diagnosis: string
}

const NO_TROUBLE: SaverTrouble = { detail: '', diagnosis: '' }
const UNSAVED = 'the catalog of series could not be written'

interface Lane {
  isBusy: boolean
  next: Round | null
}

/**
 * Writes series to the catalog: one transaction at a time per namespace, with everything that was queued since the last one
 * began.
 */
export class SeriesSaver {
  readonly #catalog: SeriesCatalog
  readonly #lanes = new Map<NamespaceId, Lane>()
  readonly #job: JobMonitor
  #trouble = NO_TROUBLE

  constructor(catalog: SeriesCatalog, job: JobMonitor) {
    this.#catalog = catalog
    this.#job = job
  }

  /** Why the latest writes to the catalog failed. */
  get trouble(): SaverTrouble {
    return this.#trouble
  }

  /** Resolves once the catalog has the requested bounds of these series. */
  save(ns: NamespaceId, series: Iterable<Series>): Promise<void> {
    const lane = this.#lanes.get(ns) ?? { isBusy: false, next: null }
    this.#lanes.set(ns, lane)
    const isFirst = lane.next === null
    const round = (lane.next ??= this.#newRound(ns, lane))
    for (const each of series) round.series.add(each)
    if (isFirst && !lane.isBusy) round.start()
    return round.done
  }

  /** As `save` when there is time; a failure is reported by the round itself and the next sample tries again. */
  renew(ns: NamespaceId, series: Iterable<Series>): void {
    // Reported in `#run`.
    this.save(ns, series).catch(() => undefined)
  }

  /** Resolves when nothing is on its way to the catalog for the namespace. */
  async idle(ns: NamespaceId): Promise<void> {
    for (let lane = this.#lanes.get(ns); lane; lane = this.#lanes.get(ns)) {
      // Its failure is reported to whoever saves.
      await (lane.next?.done ?? this.save(ns, [])).catch(() => undefined)
    }
  }

  #newRound(ns: NamespaceId, lane: Lane): Round {
    const series = new Set<Series>()
    let start = (): void => undefined
    const started = new Promise<void>(resolve => (start = resolve))
    const done = started.then(() => this.#run(ns, lane, series))
    return { series, done, start }
  }

  async #run(ns: NamespaceId, lane: Lane, series: ReadonlySet<Series>): Promise<void> {
    lane.isBusy = true
    lane.next = null
    try {
      const rows = Array.from(series, each => ({ each, row: toCatalog(each) }))
      if (rows.length > 0) {
        await this.#catalog.save(
          ns,
          rows.map(({ row }) => row)
        )
      }
      for (const { each, row } of rows) noteSaved(each, row)
      this.#trouble = NO_TROUBLE
      this.#job.succeeded()
    } catch (error) {
      this.#trouble = { detail: UNSAVED, diagnosis: `${UNSAVED}: ${diagnosisOf(error)}` }
      this.#job.failed(error, { namespace: ns })
      throw error
    } finally {
      lane.isBusy = false
      this.#startNext(ns, lane)
    }
  }

  #startNext(ns: NamespaceId, lane: Lane): void {
    if (lane.next) lane.next.start()
    else if (this.#lanes.get(ns) === lane) this.#lanes.delete(ns)
  }
}
