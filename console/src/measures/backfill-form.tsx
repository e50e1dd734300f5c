import type { InputEvent } from 'react'
import { BackfillMeasureDocument, type BackfillMeasureMutation } from '../api/generated/SavedMeasures.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import { FormField, type FieldProps } from '../ui/form-field.js'
import { resolveBound } from '../url/time-window.js'
import { useNamespace } from '../url/use-address.js'

/** The argument of a backfill that is rejected when its time is. */
const FIELD = 'start'

function validate({ currentTarget }: InputEvent<HTMLInputElement>): void {
  const isTime = currentTarget.value === '' || resolveBound(currentTarget.value, Date.now()) !== null
  currentTarget.setCustomValidity(isTime ? '' : 'Write a time such as now-7d or 2026-11-20T11:40:00Z')
}

/** A time from which past steps are computed. */
export function StartInput(props: {
  readonly field: FieldProps
  readonly initial?: string
  readonly isRequired?: boolean
}): React.JSX.Element {
  const { field, initial, isRequired = false } = props
  return (
    <input
      {...field}
      required={isRequired}
      maxLength={64}
      defaultValue={initial}
      placeholder="now-7d"
      spellCheck={false}
      autoComplete="off"
      onInput={validate}
    />
  )
}

/** The time from which a backfill computes, RFC 3339; null when none was requested. */
export function backfillStart({ backfillMeasure }: BackfillMeasureMutation): string | null {
  return backfillMeasure.measure?.backfill?.from ?? null
}

/** Computes the past steps of a saved measure from a time on. */
export function BackfillForm(props: {
  readonly name: string
  /** The start that is proposed. */
  readonly from?: string
  /** Called with the first step that is computed: records before it are not kept. */
  readonly onDone: (since: string | null) => void
  /** Absent where the form is not alone in its dialog. */
  readonly onCancel?: () => void
}): React.JSX.Element {
  const { name, from = '', onDone, onCancel } = props
  const refusal = useRoleRefusal('MEMBER')
  const { mutate, error, isPending } = useSend(BackfillMeasureDocument, useNamespace(), result => onDone(backfillStart(result)))
  return (
    <Form
      submitLabel="Compute"
      error={error}
      isSending={isPending}
      refusal={refusal}
      fields={[FIELD]}
      onSubmit={values => mutate({ name, range: { from: fieldValue(values, FIELD), to: 'now' } })}
      {...(onCancel && { onCancel })}
    >
      <FormField
        name={FIELD}
        label="From"
        hint="Past steps are computed from the records that are still kept, in the background; their samples are replaced."
        error={error}
      >
        {field => <StartInput field={field} initial={from} isRequired />}
      </FormField>
    </Form>
  )
}
