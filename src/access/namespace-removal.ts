import type { NamespaceId, UserId } from '../domain/ids.js'
import type { BackgroundJobs } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import { NAME_HELD_MS } from '../domain/namespace.js'
import type { AuditTrail } from './audit-service.js'
import type { Directory } from './directory.js'
import { isTombstone, makeTombstoneKey, tombstone } from './name-tombstone.js'
import type { Purge } from './purge.js'
import type { SecretSource } from './secrets.js'

/** Dependencies of `NamespaceRemoval`. */
export interface RemovalDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly audit: AuditTrail
  readonly directory: Directory
  readonly secrets: SecretSource
  readonly purge: Purge
  /** Removes all telemetry of a namespace; idempotent. */
  readonly dropData: (ns: NamespaceId) => Promise<void>
  readonly jobs: BackgroundJobs
}

/** Name among the background jobs. */
const JOB = 'namespace_deletion'

/**
 * Takes namespaces from active through deleting to deleted. A removal that a stop or an error interrupts is resumed later. Every
 * instance that sees the deletion removes the data, since each may have a part of it (a spool, an embedded store).
 */
export class NamespaceRemoval {
  readonly #deps: RemovalDeps
  readonly #running = new Map<NamespaceId, Promise<void>>()
  /** Those whose data could not be removed here; another instance may have ended their deletion since. */
  readonly #unfinished = new Set<NamespaceId>()

  constructor(deps: RemovalDeps) {
    this.#deps = deps
    deps.directory.whenGone(ns => this.#run(ns))
  }

  /** Resolves when the namespace refuses reads and writes; the data goes behind it. A second start does nothing. */
  async start(ns: NamespaceId, actor: UserId): Promise<void> {
    const { store, clock, audit, directory } = this.#deps
    await store.transaction(async ports => {
      const state = (await ports.namespaces.byId(ns))?.state
      if (state !== 'active' && state !== 'suspended') return
      await ports.namespaces.setState(ns, 'deleting', clock.nowMs())
      for (const invitation of await ports.invitations.of(ns)) await ports.invitations.take(invitation.id)
      await audit.record(ports, { action: 'namespace.deletion_started', namespaceId: ns, actor, target: ns })
    })
    await directory.refresh(ns)
  }

  /** Starts again what was left unfinished. Resolves when it is in progress. */
  async resume(): Promise<void> {
    for (const { id, state, name } of await this.#deps.store.namespaces.all()) {
      // Deleted by a version that kept names.
      if (state === 'deleted' && !isTombstone(name)) await this.#forgetNow(id)
      if (state === 'deleting' || this.#unfinished.has(id)) this.#run(id)
    }
  }

  /** Resolves when nothing is in progress. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Prolongs the hold on the names of those that are deleted: their keys are in use, so agents still point to them. */
  async prolongReservations(pointedTo: Iterable<NamespaceId>): Promise<void> {
    const { store, clock, directory } = this.#deps
    for (const ns of pointedTo) {
      if (directory.byId(ns)?.state !== 'deleted') continue
      await store.namespaces.reserveName(ns, clock.nowMs() + NAME_HELD_MS)
      await directory.refresh(ns)
    }
  }

  async #forgetNow(ns: NamespaceId): Promise<void> {
    await this.#deps.store.transaction(ports => this.#forgetNames(ports, ns))
    await this.#deps.directory.refresh(ns)
  }

  async #forgetNames(ports: ControlPorts, ns: NamespaceId): Promise<void> {
    const { secrets, purge } = this.#deps
    const record = await ports.namespaces.byId(ns)
    if (!record || isTombstone(record.name)) return
    await ports.namespaces.forgetNames(ns, tombstone(await makeTombstoneKey(ports, secrets), record.name))
    await purge.mark(ports)
  }

  #run(ns: NamespaceId): void {
    if (this.#running.has(ns)) return
    this.#unfinished.add(ns)
    const work = this.#finish(ns)
      .then(() => this.#finished(ns))
      .catch((error: unknown) => this.#deps.jobs.monitor(JOB).failed(error, { namespace: ns }))
      .finally(() => this.#running.delete(ns))
    this.#running.set(ns, work)
  }

  /** While a deletion is unfinished, the job goes on failing. */
  #finished(ns: NamespaceId): void {
    this.#unfinished.delete(ns)
    if (this.#unfinished.size === 0) this.#deps.jobs.monitor(JOB).succeeded()
  }

  async #finish(ns: NamespaceId): Promise<void> {
    const { store, clock, audit, directory, dropData } = this.#deps
    await dropData(ns)
    await store.transaction(async ports => {
      // Another instance may have been faster.
      if ((await ports.namespaces.byId(ns))?.state !== 'deleting') return
      await ports.namespaces.setState(ns, 'deleted', clock.nowMs())
      await this.#forgetNames(ports, ns)
      await audit.record(ports, { action: 'namespace.deleted', namespaceId: ns, actor: null, target: ns })
    })
    await this.#deps.purge.run()
    await directory.refresh(ns)
  }
}
