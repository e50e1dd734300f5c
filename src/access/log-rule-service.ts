import { GatewayError } from '../domain/errors.js'
import type { LogRules } from '../domain/log-rules.js'
import type { UserPrincipal } from '../domain/principal.js'
import { compileRules } from '../ingest/rules/compile-rules.js'
import type { ControlStore } from '../ports/control-store.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import type { Directory } from './directory.js'
import { isGone } from './requested-namespace.js'
import type { SealedLogRules } from './sealed-log-rules.js'

/** Bytes of JSON of the rules of a namespace. */
export const MAX_RULES_BYTES = 20 * 1024

/** Dependencies of `LogRuleService`. */
export interface LogRuleDeps {
  readonly store: ControlStore
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
  readonly directory: Directory
  readonly sealedRules: SealedLogRules
}

/** What the audit log has of rules: nothing that they are to keep secret. */
function summaryOf({ redact, drop, fields }: LogRules): Readonly<Record<string, unknown>> {
  return {
    detectors: redact.detectors,
    keys: redact.keys.length,
    literals: redact.literals.length,
    drop: drop.map(({ name, keep }) => ({ name, keep })),
    fields: fields.length
  }
}

/** What happens to the records of a namespace before they are stored. For its admins: literals may be secrets. */
export class LogRuleService {
  readonly #deps: LogRuleDeps

  constructor(deps: LogRuleDeps) {
    this.#deps = deps
  }

  /** The rules in force; `NO_LOG_RULES` without any. */
  async get(principal: UserPrincipal, id: string): Promise<LogRules> {
    const { authorizer, directory, sealedRules } = this.#deps
    const ns = authorizer.idOf(id)
    await authorizer.requireRole(principal, ns, 'admin')
    return sealedRules.open(ns, directory.byId(ns)?.logRules)
  }

  /**
   * Replaces the rules. They hold for every request that arrives here after the response, and on other gateways within a
   * second. `invalid_field` and `invalid_query` for rules that cannot be followed. Written to the audit log.
   */
  async set(principal: UserPrincipal, id: string, rules: LogRules): Promise<LogRules> {
    const { store, audit, authorizer, directory, sealedRules } = this.#deps
    const ns = authorizer.idOf(id)
    await authorizer.requireRole(principal, ns, 'admin')
    const bytes = Buffer.byteLength(JSON.stringify(rules))
    if (bytes > MAX_RULES_BYTES) {
      throw new GatewayError('invalid_field', `the rules exceed ${MAX_RULES_BYTES} bytes of JSON (got ${bytes})`)
    }
    compileRules(rules)
    await store.transaction(async ports => {
      const namespace = await ports.namespaces.byId(ns)
      if (!namespace || isGone(namespace)) throw new GatewayError('not_found', 'the namespace is deleted')
      await ports.namespaces.setLogRules(ns, sealedRules.seal(ns, rules))
      const event = { action: 'namespace.log_rules_changed', namespaceId: ns, actor: principal.userId, target: ns } as const
      await audit.record(ports, { ...event, detail: summaryOf(rules) })
    })
    await directory.refresh(ns)
    return rules
  }
}
