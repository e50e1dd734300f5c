import type { ChangeEvent } from 'react'
import forms from '../ui/form.module.css'
import styles from './page.module.css'
import { CONDITION_KINDS, type ConditionKind, type RuleDraft } from './rule-draft.js'

const OPS = [
  ['GT', '>'],
  ['GTE', '≥'],
  ['LT', '<'],
  ['LTE', '≤'],
  ['EQ', '='],
  ['NEQ', '≠']
] as const

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

const AGGREGATES: Readonly<Record<Exclude<ConditionKind, 'promql'>, readonly (readonly [string, string])[]>> = {
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

const NO_DATA = [
  ['nodata', 'becomes “no data”'],
  ['ok', 'is not met'],
  ['keep', 'keeps its state'],
  ['firing', 'fires']
] as const

/** Fields of the form and how they change. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft
  readonly isDisabled: boolean
  readonly onChange: (changed: Partial<RuleDraft>) => void
}

type Key = keyof RuleDraft
type Editable = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What each field of the form has in common. */
type FieldOf = (name: Key) => {
  readonly name: Key
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (event: ChangeEvent<Editable>) => void
}

/** Fields of a rule: its name, its condition, when it fires, and what it sends. */
export function RuleFields({ draft, isDisabled, onChange }: RuleFieldsProps): React.JSX.Element {
  const field: FieldOf = name => ({
    name,
    value: draft[name],
    disabled: isDisabled,
    onChange: event => onChange({ [name]: event.currentTarget.value })
  })
  return (
    <>
      <label className={forms.field}>
        Name
        <input {...field('name')} required maxLength={128} autoComplete="off" />
      </label>
      <label className={forms.field}>
        Condition on
        <select
          {...field('kind')}
          onChange={event => {
            const kind = event.currentTarget.value as ConditionKind
            onChange({ kind, ...(kind !== 'promql' && { agg: AGGREGATES[kind][0]![0] }) })
          }}
        >
          {Object.entries(CONDITION_KINDS).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ConditionFields draft={draft} field={field} />
      <ThresholdFields draft={draft} field={field} />
      <DurationFields field={field} />
      <NotificationFields field={field} />
    </>
  )
}

function ThresholdFields({ draft, field }: { readonly draft: RuleDraft; readonly field: FieldOf }): React.JSX.Element {
  return (
    <div className={styles.row}>
      <label className={forms.field}>
        Is
        <select {...field('op')}>
          {draft.kind === 'promql' && <option value="">compared in the expression</option>}
          {OPS.map(([op, sign]) => (
            <option key={op} value={op}>
              {sign}
            </option>
          ))}
        </select>
      </label>
      {draft.op !== '' && (
        <label className={forms.field}>
          Threshold
          <input {...field('threshold')} required inputMode="decimal" autoComplete="off" />
        </label>
      )}
    </div>
  )
}

function DurationFields({ field }: { readonly field: FieldOf }): React.JSX.Element {
  return (
    <div className={styles.row}>
      <label className={forms.field}>
        For
        <input {...field('for')} placeholder="0s" autoComplete="off" />
      </label>
      <label className={forms.field}>
        Keep firing for
        <input {...field('keepFiringFor')} placeholder="0s" autoComplete="off" />
      </label>
    </div>
  )
}

function NotificationFields({ field }: { readonly field: FieldOf }): React.JSX.Element {
  return (
    <>
      <div className={styles.row}>
        <label className={forms.field}>
          Severity
          <select {...field('severity')}>
            {['INFO', 'WARNING', 'CRITICAL'].map(severity => (
              <option key={severity} value={severity}>
                {severity.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        <label className={forms.field}>
          Without data, the condition
          <select {...field('noData')}>
            {NO_DATA.map(([policy, meaning]) => (
              <option key={policy} value={policy}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label className={forms.field}>
        Summary
        <input {...field('summary')} placeholder="{{ $labels.service }} has {{ $value }} errors" autoComplete="off" />
      </label>
      <label className={forms.field}>
        Labels, one per line
        <textarea {...field('labels')} rows={2} spellCheck={false} placeholder="team=payments" />
      </label>
    </>
  )
}

interface ConditionProps {
  readonly draft: RuleDraft
  readonly field: FieldOf
}

function ConditionFields({ draft, field }: ConditionProps): React.JSX.Element {
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
        {draft.kind !== 'traces' && draft.agg !== 'count' && (
          <label className={forms.field}>
            {draft.kind === 'spans' ? 'Field (durations are in ns)' : 'Field'}
            <input {...field('field')} required placeholder={EXAMPLES[draft.kind].field} autoComplete="off" spellCheck={false} />
          </label>
        )}
        <label className={forms.field}>
          Over the last
          <input {...field('window')} required placeholder="5m" autoComplete="off" />
        </label>
      </div>
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
