import type { Authorizer } from '../../access/authorizer.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { fileFault } from '../rule-files/file-fault.js'
import type { RuleThreads } from '../rule-work/rule-threads.js'
import type { SloImportReport, SloService } from './slo-service.js'

/** Dependencies of `SloImport`. */
export interface SloImportDeps {
  readonly slos: Pick<SloService, 'store'>
  readonly threads: Pick<RuleThreads, 'run'>
  readonly authorizer: Pick<Authorizer, 'requireRole'>
}

/** What an import of a file did, or would do. */
export interface SloFileReport extends SloImportReport {
  /** Paths of members of the file that have no meaning here. */
  readonly ignored: readonly string[]
}

/** Imports SLOs out of files of OpenSLO and Sloth. */
export class SloImport {
  readonly #deps: SloImportDeps

  constructor(deps: SloImportDeps) {
    this.#deps = deps
  }

  /**
   * Stores the SLOs of a file by their names, all or none; others stay as they are. A second import changes nothing.
   * `invalid_field` with the errors of the file, the errors of `RuleThreads` and of `SloService.store`.
   */
  async import(
    principal: UserPrincipal,
    ns: Namespace,
    { file, isDryRun }: { readonly file: string; readonly isDryRun: boolean },
    signal: AbortSignal
  ): Promise<SloFileReport> {
    const { slos, threads, authorizer } = this.#deps
    // Before a thread reads a whole file. What stores it checks the role again: it may have been taken away meanwhile.
    await authorizer.requireRole(principal, ns.id, 'member')
    const { slos: contents, errors, ignored } = await threads.run(ns.id, { kind: 'slos', text: file }, signal)
    if (errors.length > 0) throw fileFault(errors)
    return { ...(await slos.store(principal, ns, contents, isDryRun)), ignored }
  }
}
