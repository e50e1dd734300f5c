import type { StoreHealth } from '../ports/stores.js'
import type { Finding } from '../stores/shared/finding.js'

const SIGNS = { good: 'ok    ', notice: 'notice', bad: 'WRONG ' } as const
const SUBJECT_WIDTH = 14

/** The health of the running service's stores, as findings: healthy stores yield none. */
export function findingsOf(health: readonly StoreHealth[]): readonly Finding[] {
  const running = { store: 'running service', remedy: null }
  const unwell = health.flatMap(({ name, healthy, detail, diagnosis = detail }): Finding[] =>
    healthy && detail === '' ? [] : [{ ...running, subject: name, state: healthy ? 'notice' : 'bad', text: diagnosis }]
  )
  return unwell.length > 0 ? unwell : [{ ...running, subject: 'health', state: 'good', text: 'all stores are healthy' }]
}

function lines({ subject, state, text, remedy }: Finding): readonly string[] {
  const line = `  ${SIGNS[state]} ${subject.padEnd(SUBJECT_WIDTH)} ${text}`
  return remedy === null ? [line] : [line, `         ${' '.repeat(SUBJECT_WIDTH)} -> ${remedy}`]
}

/** The findings for people, store by store, and a last line that sums them up. */
export function doctorReport(findings: readonly Finding[]): string {
  const stores = [...new Set(findings.map(({ store }) => store))]
  const parts = stores.flatMap(store => [store, ...findings.filter(finding => finding.store === store).flatMap(lines), ''])
  const bad = findings.filter(({ state }) => state === 'bad').length
  return [...parts, bad === 0 ? 'Nothing is wrong.' : `${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong.`].join('\n')
}
