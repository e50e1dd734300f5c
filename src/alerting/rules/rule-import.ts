import { auditedWrite } from '../../access/audited-write.js'
import type { AuditTrail } from '../../access/audit-service.js'
import type { Authorizer } from '../../access/authorizer.js'
import type { SecretSource } from '../../access/secrets.js'
import type { AlertGroup, AlertRule } from '../../domain/alerts/alert-rule.js'
import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../ports/control-store.js'
import type { FileGroup } from '../rule-files/rule-file.js'
import { writeRuleFile } from '../rule-files/write-rule-file.js'
import { fileFault } from '../rule-files/file-fault.js'
import { MAX_SLOS } from '../slo/slo-limits.js'
import { ownedBySlo } from '../slo/slo-ownership.js'
import type { RuleThreads } from '../rule-work/rule-threads.js'
import { type AlertGroupRules, type AlertRuleService, readGroups } from './alert-rule-service.js'
import { IMPORT_CHANGES, type ImportChange, type ImportedGroup, type PlannedGroup, planImport } from './import-plan.js'
import { checkGroup } from './parse-group.js'
import { DEFAULT_GROUP, MAX_RULE_GROUPS, MAX_RULES } from './rule-limits.js'

/** Dependencies of `RuleImport`. */
export interface RuleImportDeps {
  readonly store: ControlStore
  readonly clock: Pick<Clock, 'nowMs'>
  readonly secrets: Pick<SecretSource, 'id'>
  readonly audit: Pick<AuditTrail, 'record'>
  readonly authorizer: Pick<Authorizer, 'requireRole'>
  readonly rules: Pick<AlertRuleService, 'groups'>
  readonly threads: Pick<RuleThreads, 'run'>
  /** Called after rules of a namespace have changed here. */
  readonly onChange: (ns: NamespaceId) => void
}

/** What an import did, or would do. */
export interface ImportReport {
  readonly groups: readonly PlannedGroup[]
  /** Rules by what was done to them. */
  readonly counts: Readonly<Record<ImportChange, number>>
  readonly isDryRun: boolean
}

/** Imports and exports rule files of Prometheus. */
export class RuleImport {
  readonly #deps: RuleImportDeps

  constructor(deps: RuleImportDeps) {
    this.#deps = deps
  }

  /**
   * All groups of the namespace as a rule file but those of SLOs, or those of these names. `not_found` for a name that no group
   * has.
   */
  async export(ns: Namespace, names?: readonly string[]): Promise<string> {
    const { rules, store } = this.#deps
    const [groups, slos] = await Promise.all([rules.groups(ns), store.slos.list(ns.id, MAX_SLOS)])
    const produced = new Set(slos.map(({ groupId }) => groupId))
    const missing = names?.find(name => !groups.some(({ group }) => group.name === name))
    if (missing !== undefined)
      throw new GatewayError('not_found', `the namespace has no alert group named ${JSON.stringify(missing)}`, { field: 'group' })
    const chosen = groups.filter(({ group }) => (names === undefined ? !produced.has(group.id) : names.includes(group.name)))
    return writeRuleFile(chosen.map(({ group, rules }) => ({ ...group, rules })))
  }

  /**
   * Replaces the groups of a file, all or none; groups that the file does not have stay as they are. Alerts of rules that stay
   * keep their states. A dry run returns the same without storing it. `invalid_field` with the errors of the file,
   * `quota_exceeded` beyond `MAX_RULES` and `MAX_RULE_GROUPS`, and the errors of `RuleThreads`.
   */
  async import(
    principal: UserPrincipal,
    ns: Namespace,
    { file, isDryRun }: { readonly file: string; readonly isDryRun: boolean },
    signal: AbortSignal
  ): Promise<ImportReport> {
    const { authorizer, threads, rules } = this.#deps
    // Before a thread reads a whole file. What stores it checks the role again: it may have been taken away meanwhile.
    await authorizer.requireRole(principal, ns.id, 'member')
    const { groups: read, errors } = await threads.run(ns.id, { kind: 'read', text: file }, signal)
    if (errors.length > 0) throw fileFault(errors)
    const groups = checkedGroups(read)
    if (isDryRun) {
      const plan = checkedPlan(await rules.groups(ns), groups)
      await requireOwnGroups(this.#deps.store, ns.id, plan)
      return reportOf(plan, true)
    }
    return this.#store(principal, ns, groups)
  }

  #store(principal: UserPrincipal, ns: Namespace, groups: readonly ImportedGroup[]): Promise<ImportReport> {
    const { clock, onChange } = this.#deps
    return auditedWrite(this.#deps, { principal, namespace: ns, role: 'member', onChange }, async ports => {
      const plan = checkedPlan(await readGroups(ports.alertRules, ns.id), groups)
      await requireOwnGroups(ports, ns.id, plan)
      const by = { updatedBy: principal.userId, updatedAtMs: clock.nowMs() }
      for (const group of plan) await this.#storeGroup(ports, ns.id, group, by)
      const report = reportOf(plan, false)
      const event = { action: 'alert_rules.imported', target: ns.id, detail: { ...report.counts, groups: plan.length } } as const
      return { result: report, event }
    })
  }

  async #storeGroup(
    { alertRules, alertStates }: ControlPorts,
    ns: NamespaceId,
    { change, content, stored, rules }: PlannedGroup,
    by: Pick<AlertRule, 'updatedBy' | 'updatedAtMs'>
  ): Promise<void> {
    const { secrets } = this.#deps
    const group: AlertGroup = { ...content, id: stored?.group.id ?? secrets.id(), namespaceId: ns }
    if (change !== 'unchanged') await alertRules.putGroup(group)
    const ended = rules.filter(({ stored: before, content: after }) => before?.enabled === true && after?.enabled !== true)
    // Before the rules are removed, while their alerts are known.
    if (ended.length > 0)
      await alertStates.end(
        ns,
        ended.map(rule => rule.stored!.id),
        by.updatedAtMs
      )
    for (const { change: ofRule, stored: before, content: after, position } of rules) {
      if (ofRule === 'unchanged') continue
      const place = { id: before?.id ?? secrets.id(), namespaceId: ns, groupId: group.id, position }
      if (after === null) await alertRules.removeRule(ns, place.id)
      else await alertRules.putRule({ ...after, ...place, version: (before?.version ?? 0) + 1, ...by })
    }
  }
}

/** `conflict` for a group whose rules an SLO produces. */
async function requireOwnGroups(
  ports: Pick<ControlPorts, 'slos'>,
  ns: NamespaceId,
  plan: readonly PlannedGroup[]
): Promise<void> {
  const slos = await ports.slos.list(ns, MAX_SLOS)
  const produced = new Map(slos.map(({ groupId, name }) => [groupId, name] as const))
  for (const { stored } of plan) {
    const slo = stored === null ? undefined : produced.get(stored.group.id)
    if (slo !== undefined) throw ownedBySlo(slo, 'file')
  }
}

function reportOf(groups: readonly PlannedGroup[], isDryRun: boolean): ImportReport {
  return { groups, counts: countsOf(groups), isDryRun }
}

function checkedGroups(groups: readonly FileGroup[]): readonly ImportedGroup[] {
  return groups.map(({ rules, intervalMs, ...group }) => {
    try {
      return { group: checkGroup({ ...group, intervalMs: intervalMs ?? DEFAULT_GROUP.intervalMs }), rules }
    } catch (error) {
      if (!isGatewayError(error, 'invalid_field')) throw error
      const detail = `file: group ${JSON.stringify(group.name)}: ${error.message}`
      throw new GatewayError('invalid_field', detail, { field: 'file', cause: error })
    }
  })
}

/** The plan of an import that leaves the namespace within its quotas. */
function checkedPlan(stored: readonly AlertGroupRules[], groups: readonly ImportedGroup[]): readonly PlannedGroup[] {
  const plan = planImport(stored, groups)
  const { created, removed } = countsOf(plan)
  const rules = stored.reduce((sum, group) => sum + group.rules.length, 0) + created - removed
  const groupCount = stored.length + plan.filter(({ change }) => change === 'created').length
  if (groupCount > MAX_RULE_GROUPS || rules > MAX_RULES) {
    const detail = `a namespace has at most ${MAX_RULES} alert rules in ${MAX_RULE_GROUPS} groups; with the file it would have ${rules} in ${groupCount}`
    throw new GatewayError('quota_exceeded', detail, { field: 'file' })
  }
  return plan
}

function countsOf(groups: readonly PlannedGroup[]): ImportReport['counts'] {
  const rules = groups.flatMap(group => group.rules)
  const count = (change: ImportChange): number => rules.filter(rule => rule.change === change).length
  const counts = IMPORT_CHANGES.map(change => [change, count(change)] as const)
  return Object.fromEntries(counts) as Record<ImportChange, number>
}
