/** Describes what a failed case left behind, for example the page that a person sees. */
export type FailureReport = () => Promise<string>

const REPORTS = Symbol.for('alidade.test.failureReports')

/**
 * Adds a report to each failed case of the test file that runs: its text follows the error (test/runner/environment.mjs).
 * Returns what removes it.
 */
export function addFailureReport(report: FailureReport): () => void {
  const scope = globalThis as { [REPORTS]?: Set<FailureReport> }
  const reports = (scope[REPORTS] ??= new Set())
  reports.add(report)
  return () => reports.delete(report)
}
