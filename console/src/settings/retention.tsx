import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import {
  RetentionDocument,
  type RetentionQuery,
  SetRetentionDocument,
  type SetRetentionMutation,
  type SetRetentionMutationVariables
} from '../api/generated/Retention.js'
import { UsageDocument } from '../api/generated/Usage.js'
import { useApi } from '../api/context.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatInstantNs } from '../format/instant.js'
import { formatCount } from '../format/number.js'
import { Dialog } from '../ui/dialog.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { ResultView } from '../ui/result-view.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { FOREVER, type Removal, removalOf, type RetainedSignal, retentionMs } from './retention-preview.js'

const SIGNALS: readonly (readonly [signal: RetainedSignal, name: string])[] = [
  ['logs', 'Logs'],
  ['traces', 'Traces'],
  ['metrics', 'Metrics'],
  ['rum', 'Page views (RUM)'],
  ['errors', 'Errors']
]

type Inputs = Readonly<Record<RetainedSignal, string>>

function inputsOf(retention: RetentionQuery['namespace']['retention']): Inputs {
  const { logs, traces, metrics, rum, errors } = retention
  const text = (value: string | null | undefined): string => value ?? FOREVER
  return { logs: text(logs), traces: text(traces), metrics: text(metrics), rum: text(rum), errors: text(errors) }
}

/** How long each signal is kept, and what a change deletes. */
export function Retention(): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(RetentionDocument, {}, { namespace })
  return (
    <ResultView result={result} what="the retention">
      {data => <Loaded retention={data.namespace.retention} />}
    </ResultView>
  )
}

function Loaded({ retention }: { readonly retention: RetentionQuery['namespace']['retention'] }): React.JSX.Element {
  const saving = useSend(SetRetentionDocument, useNamespace())
  const inputs = inputsOf(retention)
  return (
    <section aria-label="Retention" className={styles.section}>
      <h2>Retention</h2>
      <p className={styles.hint}>
        A duration from 1m to 100y, for example 14d or 12h, or {FOREVER}. Older records, by event time, are deleted and are not
        found any more. Rejected records are kept for {retention.rejected ?? FOREVER}.
      </p>
      {/* Saved values are another form: nothing of it is pending. */}
      <RetentionForm key={Object.values(inputs).join(' ')} saved={inputs} saving={saving} />
      <p role="status">{saving.isSuccess ? 'Saved.' : ''}</p>
    </section>
  )
}

function RetentionForm(props: {
  readonly saved: Inputs
  readonly saving: UseMutationResult<SetRetentionMutation, Error, SetRetentionMutationVariables>
}): React.JSX.Element {
  const { saved, saving } = props
  const namespace = useNamespace()
  const api = useApi()
  const refusal = useRoleRefusal('ADMIN')
  const [inputs, setInputs] = useState(saved)
  const [nowMs] = useState(() => api.nowMs())
  const usage = useRequest(UsageDocument, { range: { from: 'now-365d', to: 'now' } }, { namespace })
  const [isConfirming, setConfirming] = useState(false)
  const changed = SIGNALS.filter(([signal]) => inputs[signal].trim() !== saved[signal])
  const removal = (signal: RetainedSignal): Removal | null =>
    removalOf(signal, { before: saved[signal], after: inputs[signal].trim() }, usage.data?.namespace.usage ?? [], nowMs)
  const removals = SIGNALS.flatMap(([signal, name]) => {
    const found = removal(signal)
    return found ? [{ name, ...found }] : []
  })
  const save = (): void => {
    setConfirming(false)
    saving.mutate({ input: Object.fromEntries(changed.map(([signal]) => [signal, inputs[signal].trim()])) })
  }
  const isValid = SIGNALS.every(([signal]) => retentionMs(inputs[signal].trim()) !== null)
  return (
    <>
      <Form
        submitLabel="Save"
        error={saving.error}
        isSending={saving.isPending || changed.length === 0 || !isValid}
        refusal={refusal}
        onSubmit={() => (removals.length > 0 ? setConfirming(true) : save())}
      >
        {SIGNALS.map(([signal, name]) => (
          <RetentionField
            key={signal}
            name={name}
            value={inputs[signal]}
            removal={removal(signal)}
            isCounted={usage.data !== undefined}
            isDisabled={refusal !== null}
            onChange={value => {
              setInputs({ ...inputs, [signal]: value })
              saving.reset()
            }}
          />
        ))}
      </Form>
      {isConfirming && (
        <Dialog label="Delete older records" onClose={() => setConfirming(false)}>
          <h2>Delete older records</h2>
          <Form
            submitLabel="Delete and save"
            error={null}
            isSending={false}
            onSubmit={save}
            onCancel={() => setConfirming(false)}
          >
            <ul className={forms.warning}>
              {removals.map(one => (
                <li key={one.name}>
                  {one.name}: <RemovalText removal={one} isCounted={usage.data !== undefined} />
                </li>
              ))}
            </ul>
            <p>Deleted records cannot be restored.</p>
          </Form>
        </Dialog>
      )}
    </>
  )
}

function RemovalText({ removal, isCounted }: { readonly removal: Removal; readonly isCounted: boolean }): React.JSX.Element {
  const format = useInstantFormat()
  const before = format.full(formatInstantNs(BigInt(Math.round(removal.beforeMs)) * 1_000_000n)).slice(0, 16)
  return (
    <>
      deletes records before {before} {format.zoneName}
      {isCounted && `, about ${formatCount(removal.records)}`}
    </>
  )
}

function RetentionField(props: {
  readonly name: string
  readonly value: string
  readonly removal: Removal | null
  readonly isCounted: boolean
  readonly isDisabled: boolean
  readonly onChange: (value: string) => void
}): React.JSX.Element {
  const { name, value, removal, isCounted, isDisabled, onChange } = props
  const isWrong = retentionMs(value.trim()) === null
  return (
    <div className={forms.field}>
      <label className={forms.field}>
        {name}
        <input
          value={value}
          disabled={isDisabled}
          aria-invalid={isWrong}
          spellCheck={false}
          autoComplete="off"
          maxLength={32}
          onChange={event => onChange(event.currentTarget.value)}
        />
      </label>
      {isWrong && <p className={forms.error}>Write a duration from 1m to 100y, for example 14d, or {FOREVER}.</p>}
      {removal && (
        <p className={forms.warning}>
          This <RemovalText removal={removal} isCounted={isCounted} />.
        </p>
      )}
    </div>
  )
}
