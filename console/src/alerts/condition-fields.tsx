import type { ChangeEvent } from 'react'
import forms from '../ui/form.module.css'
import styles from './page.module.css'
import { type ConditionKind, hasField, type RuleDraft } from './rule-draft.js'

const MEASURES = [
  ['distinct', 'different values of a field'],
  ['sum', 'sum of a field'],
  ['avg', 'average of a field'],
  ['min', 'minimum of a field'],
  ['max', 'maximum of a field'],
  ['p50', 'median of a field'],
  ['p75', 'p75 of a field'],
  ['p90', 'p90 of a field'],
  ['p95', 'p95 of a field'],
  ['p99', 'p99 of a field']
] as const

/** What is measured of the records of a condition. */
export const AGGREGATES: Readonly<Record<Exclude<ConditionKind, 'promql'>, readonly (readonly [string, string])[]>> = {
  logs: [['count', 'count of logs'], ...MEASURES],
  spans: [['count', 'count of spans'], ...MEASURES],
  traces: [
    ['rate', 'requests per second'],
    ['error_rate', 'share of failed requests'],
    ['p50', 'median duration, ms'],
    ['p90', 'p90 duration, ms'],
    ['p95', 'p95 duration, ms'],
    ['p99', 'p99 duration, ms']
  ]
}

/** What the fields of a search show while they are empty. */
const EXAMPLES = {
  logs: { query: 'level:error', field: 'duration_ms' },
  spans: { query: 'kind:client', field: 'duration' }
} as const

type Key = keyof RuleDraft
type Editable = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What each field of the form has in common. */
export type FieldOf = (name: Key) => {
  readonly name: Key
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (event: ChangeEvent<Editable>) => void
}

interface ConditionProps {
  readonly draft: RuleDraft
  readonly field: FieldOf
}

/** Fields of what a rule measures. */
export function ConditionFields({ draft, field }: ConditionProps): React.JSX.Element {
  if (draft.kind === 'promql')
    return (
      <label className={forms.field}>
        Expression
        <textarea
          {...field('expr')}
          required
          rows={3}
          spellCheck={false}
          placeholder="sum by (service) (rate(http_requests_total[5m]))"
        />
      </label>
    )
  return (
    <>
      {draft.kind === 'traces' ? <RequestFields field={field} /> : <SearchFields draft={draft} field={field} />}
      <div className={styles.row}>
        <label className={forms.field}>
          Value
          <select {...field('agg')}>
            {AGGREGATES[draft.kind].map(([agg, meaning]) => (
              <option key={agg} value={agg}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
        <label className={forms.field}>
          Over the last
          <input {...field('window')} required placeholder="5m" autoComplete="off" />
        </label>
      </div>
      {draft.kind !== 'traces' && hasField(draft) && (
        <label className={forms.field}>
          {draft.kind === 'spans' ? 'Field (durations are in nanoseconds)' : 'Field'}
          <input {...field('field')} required placeholder={EXAMPLES[draft.kind].field} autoComplete="off" spellCheck={false} />
        </label>
      )}
    </>
  )
}

function SearchFields({ draft, field }: ConditionProps): React.JSX.Element {
  const examples = EXAMPLES[draft.kind === 'spans' ? 'spans' : 'logs']
  return (
    <>
      <label className={forms.field}>
        Expression
        <input {...field('query')} placeholder={examples.query} autoComplete="off" spellCheck={false} />
      </label>
      <label className={forms.field}>
        One alert per
        <input {...field('groupBy')} placeholder="service, host" autoComplete="off" spellCheck={false} />
      </label>
    </>
  )
}

function RequestFields({ field }: Pick<ConditionProps, 'field'>): React.JSX.Element {
  return (
    <div className={styles.row}>
      <label className={forms.field}>
        Service
        <input {...field('service')} placeholder="all" autoComplete="off" />
      </label>
      <label className={forms.field}>
        Operation
        <input {...field('operation')} placeholder="all" autoComplete="off" />
      </label>
    </div>
  )
}
