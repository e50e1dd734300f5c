import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { BackfillMeasureDocument, SaveMeasureDocument, type SavedMeasureInput } from '../api/generated/SavedMeasures.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { visibleText } from '../format/visible-text.js'
import { Button, buttonClass } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form, FormError } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { Instant } from '../ui/instant.js'
import { RefusableButton } from '../ui/refusable-button.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { BackfillForm, backfillStart } from './backfill-form.js'
import type { MeasureChoice } from './measure-choice.js'
import { MetricLink } from './metric-link.js'
import { SAVED_FIELDS, SaveFields } from './save-fields.js'
import { percentileOf, type SavedRecords, savedExpression, saveRefusal, toInput } from './to-saved.js'

/** The measure of a page. */
interface Measured {
  readonly records: SavedRecords
  readonly choice: MeasureChoice
}

/** Saves the measure of the page as a metric, which is computed from then on, and over the past on request. */
export function SaveMeasure(measured: Measured): React.JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const roleRefusal = useRoleRefusal('MEMBER')
  return (
    <>
      <RefusableButton refusal={roleRefusal ?? saveRefusal(measured.records, measured.choice)} onClick={() => setOpen(true)}>
        Save as metric
      </RefusableButton>
      {isOpen && <SaveDialog {...measured} onClose={() => setOpen(false)} />}
    </>
  )
}

/** A measure that was saved, and the start of the backfill that was requested with it; empty without one. */
interface Saved {
  readonly input: SavedMeasureInput
  readonly from: string
}

function SaveDialog({ records, choice, onClose }: Measured & { readonly onClose: () => void }): React.JSX.Element {
  const namespace = useNamespace()
  const [saved, setSaved] = useState<Saved | null>(null)
  const [since, setSince] = useState<string | null>(null)
  const start = useRef('')
  const backfill = useSend(BackfillMeasureDocument, namespace, result => setSince(backfillStart(result)))
  // Goes on when the dialog is closed meanwhile.
  const save = useSend(SaveMeasureDocument, namespace, (_, { input }) => {
    const from = start.current
    setSaved({ input, from })
    if (from !== '') backfill.mutate({ name: input.name, range: { from, to: 'now' } })
  })
  const submit = (values: FormData): void => {
    start.current = fieldValue(values, 'start').trim()
    save.mutate({ input: toInput(records, choice, values) })
  }
  return (
    <Dialog label="Save as metric" onClose={onClose}>
      <h2>Save as metric</h2>
      {saved === null ? (
        <Form
          submitLabel="Save"
          error={save.error}
          isSending={save.isPending}
          fields={SAVED_FIELDS}
          onSubmit={submit}
          onCancel={onClose}
        >
          <SaveFields records={records} choice={choice} error={save.error} />
        </Form>
      ) : (
        <SavedView saved={saved} choice={choice} since={since} error={backfill.error} onBackfill={setSince} onClose={onClose} />
      )}
    </Dialog>
  )
}

function SavedView(props: {
  readonly saved: Saved
  readonly choice: MeasureChoice
  /** From when past steps are computed; null while none are. */
  readonly since: string | null
  /** Of the backfill that was requested with the measure. */
  readonly error: Error | null
  readonly onBackfill: (since: string | null) => void
  readonly onClose: () => void
}): React.JSX.Element {
  const { saved, choice, since, error, onBackfill, onClose } = props
  const { input, from } = saved
  const namespace = useNamespace()
  const { search } = useAddress()
  const done = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useEffect(() => done.current?.focus(), [])
  const repeated = (first: string | null): void => {
    onBackfill(first)
    done.current?.focus()
  }
  const step = input.step!
  return (
    <>
      <p ref={done} tabIndex={-1} role="status">
        Saved as <b>{visibleText(input.name)}</b>. It has a sample every {step}, 10 s after the end of each step.
        {since !== null && (
          <>
            {' '}
            Steps since <Instant value={since} /> are computed in the background.
          </>
        )}
      </p>
      {since === null && error && (
        <>
          <FormError error={new Error(`past steps are not computed: ${error.message}`)} />
          <BackfillForm name={input.name} from={from} onDone={repeated} />
        </>
      )}
      <div className={forms.actions}>
        <MetricLink expression={savedExpression({ name: input.name, fn: input.fn, step }, percentileOf(choice.fn))} />
        <Link
          to="/n/$namespace/settings/$section"
          params={{ namespace, section: 'measures' }}
          search={pageSearch(search)}
          className={buttonClass()}
        >
          Saved measures
        </Link>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
