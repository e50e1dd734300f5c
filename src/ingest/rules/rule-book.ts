import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { LogRules } from '../../domain/log-rules.js'
import type { Namespace } from '../../domain/namespace.js'
import { type CompiledRules, compileRules } from './compile-rules.js'

const RETRY_S = 5

/** The rules of namespaces, compiled when they are used first. */
export class RuleBook {
  readonly #open: (ns: NamespaceId, stored: string) => LogRules
  /** Bounded by the namespaces of the installation. */
  readonly #compiled = new Map<NamespaceId, { readonly stored: string; readonly rules: CompiledRules }>()
  #redacted = 0

  /** `open` reads rules as the control store has them. */
  constructor(open: (ns: NamespaceId, stored: string) => LogRules) {
    this.#open = open
  }

  /**
   * The rules of a namespace; null without any. `store_unavailable` for rules that cannot be read, e.g. because the key that
   * sealed them is missing: records must not be stored without them.
   */
  of({ id, logRules: stored }: Pick<Namespace, 'id' | 'logRules'>): CompiledRules | null {
    if (stored === undefined) return null
    const known = this.#compiled.get(id)
    if (known?.stored === stored) return known.rules
    const rules = this.#compile(id, stored)
    this.#compiled.set(id, { stored, rules })
    return rules
  }

  /** Values that were replaced in records since the start. */
  get redacted(): number {
    return this.#redacted
  }

  /** Counts values that were replaced. */
  addRedacted(count: number): void {
    this.#redacted += count
  }

  #compile(id: NamespaceId, stored: string): CompiledRules {
    try {
      return compileRules(this.#open(id, stored))
    } catch (cause) {
      const detail = 'the log rules of the namespace cannot be read; records are not stored without them'
      throw new GatewayError('store_unavailable', detail, { cause, retryAfterS: RETRY_S })
    }
  }
}
