import type { InputEvent } from 'react'
import { visibleText } from '../format/visible-text.js'
import { FormField } from '../ui/form-field.js'
import forms from '../ui/form.module.css'
import { StartInput } from './backfill-form.js'
import { isDuration, type MeasureChoice, measureTitle } from './measure-choice.js'
import { parseBounds, proposedBounds, type SavedRecords, savedFunction, STEPS } from './to-saved.js'

/** As the service has them. */
const MAX_NAME_CHARACTERS = 100
const MAX_DESCRIPTION_CHARACTERS = 500
const DEFAULT_STEP = '1m'

/** Names of the fields that show their own rejections. */
export const SAVED_FIELDS: readonly string[] = ['name', 'description', 'step', 'bounds']

function validateBounds({ currentTarget }: InputEvent<HTMLInputElement>, areDurations: boolean): void {
  const hint = `Write numbers such as 10, 100, 1000${areDurations ? ', or durations such as 5ms, 1s' : ''}`
  currentTarget.setCustomValidity(parseBounds(currentTarget.value, areDurations) === null ? hint : '')
}

/** The fields of a measure that becomes a metric. */
export function SaveFields(props: {
  readonly records: SavedRecords
  readonly choice: MeasureChoice
  /** Of the request. */
  readonly error: Error | null
}): React.JSX.Element {
  const { records, choice, error } = props
  const { signal, query } = records
  const isHistogram = savedFunction(choice.fn) === 'HISTOGRAM'
  const areDurations = isDuration(signal, choice.field)
  return (
    <>
      <p className={forms.hint}>
        {visibleText(measureTitle(choice))} of {signal === 'LOGS' ? 'logs' : 'spans'}
        {query.trim() === '' ? (
          ', all of them'
        ) : (
          <>
            {' '}
            with <code>{visibleText(query)}</code>
          </>
        )}
      </p>
      <FormField name="name" label="Name" error={error}>
        {field => (
          <input
            {...field}
            required
            maxLength={MAX_NAME_CHARACTERS}
            placeholder="order_amount"
            spellCheck={false}
            autoComplete="off"
          />
        )}
      </FormField>
      <FormField name="description" label="Description (optional)" error={error}>
        {field => <input {...field} maxLength={MAX_DESCRIPTION_CHARACTERS} autoComplete="off" />}
      </FormField>
      <FormField name="step" label="A sample every" error={error}>
        {field => (
          <select {...field} defaultValue={DEFAULT_STEP}>
            {STEPS.map(step => (
              <option key={step}>{step}</option>
            ))}
          </select>
        )}
      </FormField>
      {isHistogram && (
        <FormField
          name="bounds"
          label="Upper bounds of the buckets"
          hint="Percentiles are saved as a histogram: they are exact at its bounds, and estimated between them."
          error={error}
        >
          {field => (
            <input
              {...field}
              required
              defaultValue={proposedBounds(areDurations)}
              spellCheck={false}
              autoComplete="off"
              onInput={event => validateBounds(event, areDurations)}
            />
          )}
        </FormField>
      )}
      <FormField
        name="start"
        label="Compute the past from (optional)"
        hint="Without it, the metric begins now. Records are counted as far back as they are kept."
        error={error}
      >
        {field => <StartInput field={field} />}
      </FormField>
    </>
  )
}
