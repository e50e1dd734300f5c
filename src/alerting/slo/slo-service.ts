import { type AuditedWrite, auditedWrite, type AuditedWriteDeps } from '../../access/audited-write.js'
import type { SecretSource } from '../../access/secrets.js'
import { KEPT_SLO_VERSIONS, type Slo, type SloContent } from '../../domain/alerts/slo.js'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { isSameJson } from '../../domain/same-json.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../ports/control-store.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { MAX_RULES } from '../rules/rule-limits.js'
import { parseSlo } from './parse-slo.js'
import { MAX_SLOS } from './slo-limits.js'
import { sloRules } from './slo-rules.js'
import { readStoredRules, type StoredRules, storeSloRules } from './store-slo-rules.js'

/** Dependencies of `SloService`. */
export interface SloServiceDeps extends AuditedWriteDeps {
  readonly store: ControlStore
  readonly clock: Pick<Clock, 'nowMs'>
  readonly secrets: Pick<SecretSource, 'id'>
  readonly readPromql: ReadPromql
  /** Called after rules of a namespace have changed here. */
  readonly onChange: (ns: NamespaceId) => void
}

/** What an import does to an SLO. */
export const SLO_CHANGES = ['created', 'changed', 'unchanged'] as const
export type SloChange = (typeof SLO_CHANGES)[number]

/** What an import did, or would do, in the order of the file. */
export interface SloImportReport {
  readonly slos: readonly { readonly name: string; readonly change: SloChange }[]
  readonly isDryRun: boolean
}

/** The SLO of this id. `not_found` when the namespace has none. */
function noSlo(): GatewayError {
  return new GatewayError('not_found', 'no SLO of this namespace has this id', { field: 'id' })
}

function stale(requested: number, stored: number): GatewayError {
  const detail = `the SLO has version ${stored}, not ${requested}; read it again and repeat the change`
  return new GatewayError('conflict', detail, { field: 'version', members: { version: stored } })
}

/** Thrown to undo the transaction of a dry run. */
class DryRun extends Error {
  readonly report: SloImportReport

  constructor(report: SloImportReport) {
    super('dry run')
    this.report = report
  }
}

/**
 * Service level objectives. Readers of the namespace read them, members write them; all writes are in the audit log. The rules of
 * an SLO are stored, changed and removed with it, in its transaction.
 */
export class SloService {
  readonly #deps: SloServiceDeps

  constructor(deps: SloServiceDeps) {
    this.#deps = deps
  }

  /** An SLO as clients write it. `invalid_field` with all of its errors. */
  parse(input: unknown): SloContent {
    return parseSlo(input, this.#deps.readPromql)
  }

  /** All SLOs by name. */
  list(ns: Namespace): Promise<readonly Slo[]> {
    return this.#deps.store.slos.list(ns.id, MAX_SLOS)
  }

  /** Null when the namespace has no such SLO. */
  find(ns: Namespace, id: string): Promise<Slo | null> {
    return this.#deps.store.slos.find(ns.id, id)
  }

  /** `not_found` when the namespace has no such SLO. */
  async get(ns: Namespace, id: string): Promise<Slo> {
    const slo = await this.find(ns, id)
    if (slo === null) throw noSlo()
    return slo
  }

  /** The latest contents of an SLO, newest first. `not_found` when the namespace has no such SLO. */
  async versions(ns: Namespace, id: string): Promise<readonly Slo[]> {
    const versions = await this.#deps.store.slos.versions(ns.id, id, KEPT_SLO_VERSIONS)
    if (versions.length === 0) throw noSlo()
    return versions
  }

  /** Stores a new SLO with its rules. `conflict` for the name of another one, `quota_exceeded` beyond `MAX_SLOS` and `MAX_RULES`. */
  create(principal: UserPrincipal, ns: Namespace, content: SloContent): Promise<Slo> {
    return this.#write(principal, ns, async ports => {
      requireRoom((await ports.slos.list(ns.id, MAX_SLOS)).length + 1)
      const slo = this.#first(principal, ns.id, content)
      await this.#put(ports, await readStoredRules(ports, ns.id), slo)
      return { result: slo, event: savedEvent(slo) }
    })
  }

  /**
   * Replaces the content of an SLO whose version was `version`, and its rules. `conflict` when it has another version, `not_found`
   * for an unknown one. Another indicator begins a new revision: earlier events no longer count.
   */
  update(
    principal: UserPrincipal,
    ns: Namespace,
    { id, version }: { readonly id: string; readonly version: number },
    content: SloContent
  ): Promise<Slo> {
    return this.#write(principal, ns, async ports => {
      const stored = await ports.slos.find(ns.id, id)
      if (stored === null) throw noSlo()
      if (stored.version !== version) throw stale(version, stored.version)
      const slo = this.#next(principal, stored, content)
      await this.#put(ports, await readStoredRules(ports, ns.id), slo)
      return { result: slo, event: savedEvent(slo) }
    })
  }

  /** Removes an SLO with its rules, and ends their alerts. Their events and the recorded counts stay. `not_found` for an unknown one. */
  async remove(principal: UserPrincipal, ns: Namespace, id: string): Promise<void> {
    await this.#write(principal, ns, async ports => {
      const stored = await ports.slos.find(ns.id, id)
      if (stored === null) throw noSlo()
      const rules = (await ports.alertRules.rules(ns.id, MAX_RULES)).filter(({ groupId }) => groupId === stored.groupId)
      const ids = rules.map(rule => rule.id)
      if (ids.length > 0) await ports.alertStates.end(ns.id, ids, this.#deps.clock.nowMs())
      await ports.alertRules.removeGroup(ns.id, stored.groupId)
      await ports.slos.remove(ns.id, id)
      return { result: undefined, event: { action: 'slo.deleted', target: id, detail: { name: stored.name } } }
    })
  }

  /**
   * Stores SLOs by their names, all or none; others stay. SLOs that are equal to the stored ones do not change. A dry run makes
   * the same transaction and undoes it.
   */
  async store(
    principal: UserPrincipal,
    ns: Namespace,
    contents: readonly SloContent[],
    isDryRun: boolean
  ): Promise<SloImportReport> {
    try {
      return await this.#write(principal, ns, async ports => {
        const before = await ports.slos.list(ns.id, MAX_SLOS)
        const byName = new Map(before.map(slo => [slo.name, slo] as const))
        requireRoom(before.length + contents.filter(({ name }) => !byName.has(name)).length)
        const rules = await readStoredRules(ports, ns.id)
        const slos: { readonly name: string; readonly change: SloChange }[] = []
        for (const content of contents) {
          const stored = byName.get(content.name)
          const change = stored === undefined ? 'created' : isSameJson(contentOf(stored), content) ? 'unchanged' : 'changed'
          if (change !== 'unchanged')
            await this.#put(
              ports,
              rules,
              stored ? this.#next(principal, stored, content) : this.#first(principal, ns.id, content)
            )
          slos.push({ name: content.name, change })
        }
        if (isDryRun) throw new DryRun({ slos, isDryRun })
        const changed = slos.filter(({ change }) => change !== 'unchanged').length
        const event = { action: 'slos.imported', target: ns.id, detail: { slos: slos.length, changed } } as const
        return { result: { slos, isDryRun }, event: changed === 0 ? null : event }
      })
    } catch (error) {
      if (error instanceof DryRun) return error.report
      throw error
    }
  }

  /** The first version of an SLO. */
  #first(principal: UserPrincipal, ns: NamespaceId, content: SloContent): Slo {
    const { secrets, clock } = this.#deps
    const by = { updatedBy: principal.userId, updatedAtMs: clock.nowMs() }
    const place = { id: secrets.id(), groupId: secrets.id(), namespaceId: ns }
    return { ...content, ...place, version: 1, revision: 1, revisionSinceMs: by.updatedAtMs, ...by }
  }

  /** The version that follows a stored one. */
  #next(principal: UserPrincipal, stored: Slo, content: SloContent): Slo {
    const updatedAtMs = this.#deps.clock.nowMs()
    const version = stored.version + 1
    const isRecounted =
      !isSameJson(stored.indicator, content.indicator) ||
      (content.indicator.kind !== 'ratio' && stored.service !== content.service)
    const revision = isRecounted ? { revision: version, revisionSinceMs: updatedAtMs } : {}
    return { ...stored, ...content, ...revision, version, updatedBy: principal.userId, updatedAtMs }
  }

  async #put(ports: ControlPorts, stored: StoredRules, slo: Slo): Promise<void> {
    const { secrets, readPromql } = this.#deps
    // Transactions are serialized, so that the version is still the one that was read.
    await ports.slos.put(slo)
    await storeSloRules(ports, stored, { slo, rules: sloRules(slo, slo, readPromql), newId: () => secrets.id() })
  }

  #write<T>(principal: UserPrincipal, namespace: Namespace, work: (ports: ControlPorts) => Promise<AuditedWrite<T>>): Promise<T> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'member', onChange: this.#deps.onChange }, work)
  }
}

function requireRoom(slos: number): void {
  if (slos > MAX_SLOS) throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_SLOS} SLOs; delete some`)
}

function savedEvent({ id, name, version, enabled }: Slo): AuditedWrite<Slo>['event'] {
  return { action: 'slo.saved', target: id, detail: { name, version, enabled } }
}

function contentOf(slo: Slo): SloContent {
  const { id: _id, namespaceId: _ns, groupId: _group, version: _version, revision: _revision, ...rest } = slo
  const { revisionSinceMs: _since, updatedBy: _by, updatedAtMs: _at, ...content } = rest
  return content
}
