/** Describes what a failed case left behind, for example the page that a person sees. */
export type Witness = () => Promise<string>

const WITNESSES = Symbol.for('alidade.test.witnesses')

/**
 * Adds a witness to the failures of the test file that runs: its text follows the error of each failed case
 * (test/runner/environment.mjs). Returns what removes it.
 */
export function addWitness(witness: Witness): () => void {
  const scope = globalThis as { [WITNESSES]?: Set<Witness> }
  const witnesses = (scope[WITNESSES] ??= new Set())
  witnesses.add(witness)
  return () => witnesses.delete(witness)
}
