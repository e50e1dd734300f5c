import forms from '../ui/form.module.css'
import styles from './page.module.css'
import { AGGREGATES, ConditionFields, type FieldOf } from './condition-fields.js'
import { CONDITION_KINDS, type ConditionKind, isRange, type RuleDraft } from './rule-draft.js'

const OPS = [
  ['GT', '>'],
  ['GTE', '≥'],
  ['LT', '<'],
  ['LTE', '≤'],
  ['EQ', '='],
  ['NEQ', '≠'],
  ['OUTSIDE', 'outside'],
  ['INSIDE', 'from … to']
] as const

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
            onChange(kind === 'promql' ? { kind } : { kind, agg: AGGREGATES[kind][0]![0], op: draft.op || 'GT' })
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
          {isRange(draft) ? 'Lower bound' : 'Threshold'}
          <input {...field('threshold')} required inputMode="decimal" autoComplete="off" />
        </label>
      )}
      {isRange(draft) && (
        <label className={forms.field}>
          Upper bound
          <input {...field('upper')} required inputMode="decimal" autoComplete="off" />
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
            <option value="">none</option>
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
