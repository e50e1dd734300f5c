import { type FocusEvent, useState } from 'react'
import { SaveSloDocument } from '../api/generated/Slos.js'
import { useSend } from '../api/use-send.js'
import { Dialog } from '../ui/dialog.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { documentOf, type IndicatorKind, INDICATORS, kindOf, type SloFields, THRESHOLDS_MS } from './slo-draft.js'
import { SloPreview } from './slo-preview.js'

const KINDS: Readonly<Record<IndicatorKind, string>> = {
  availability: 'Requests without an error (spans)',
  latency: 'Requests that are fast enough (spans)',
  ratio: 'Events that PromQL counts'
}
const WINDOWS = ['28d', '30d', '7d'] as const

/** An SLO to change, with the version that was read. */
export interface EditedSlo {
  readonly id: string
  readonly version: number
  readonly document: SloFields
}

/** The form of an SLO in a dialog: a new one without `edited`. */
export function SloForm(props: { readonly edited: EditedSlo | null; readonly onClose: () => void }): React.JSX.Element {
  const { edited, onClose } = props
  const namespace = useNamespace()
  const fields: SloFields = edited?.document ?? {}
  const [kind, setKind] = useState<IndicatorKind>(kindOf(fields) ?? 'ratio')
  const [previewed, setPreviewed] = useState<Record<string, unknown> | null>(edited ? { ...edited.document } : null)
  const { mutate, error, isPending } = useSend(SaveSloDocument, namespace, onClose)
  const title = edited ? 'Edit SLO' : 'New SLO'
  const submit = (values: FormData): void => {
    const document = documentOf(kind, values, edited?.document)
    mutate(edited ? { document, id: edited.id, version: edited.version } : { document })
  }
  // When a field is left, as in the form of a rule.
  const preview = ({ target }: FocusEvent): void => {
    const form = (target as HTMLInputElement).form
    if (form?.checkValidity()) setPreviewed(documentOf(kind, new FormData(form), edited?.document))
  }
  return (
    <Dialog label={title} onClose={onClose} isWide>
      <h2>{title}</h2>
      <div className={styles.editor} onBlur={preview}>
        <Form submitLabel="Save" error={error} isSending={isPending} onSubmit={submit} onCancel={onClose}>
          <label className={forms.field}>
            Name
            <input
              name="name"
              required
              maxLength={120}
              autoComplete="off"
              defaultValue={fields.name}
              placeholder="checkout-availability"
            />
          </label>
          <label className={forms.field}>
            Service
            <input name="service" required maxLength={256} autoComplete="off" defaultValue={fields.service} />
          </label>
          <div className={styles.row}>
            <label className={forms.field}>
              Objective in percent
              <input
                name="objective"
                type="number"
                required
                min={90}
                max={99.999}
                step="any"
                defaultValue={fields.objective ?? 99.9}
              />
            </label>
            <label className={forms.field}>
              Window
              <select name="window" defaultValue={fields.window ?? '28d'}>
                {WINDOWS.map(window => (
                  <option key={window} value={window}>
                    {window.replace('d', ' days')}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <label className={forms.field}>
            Good events
            <select value={kind} onChange={event => setKind(event.currentTarget.value as IndicatorKind)}>
              {INDICATORS.map(one => (
                <option key={one} value={one}>
                  {KINDS[one]}
                </option>
              ))}
            </select>
          </label>
          <IndicatorFields kind={kind} fields={fields} />
          <fieldset className={styles.choices}>
            <legend>Alerts</legend>
            <label>
              <input type="checkbox" name="page" defaultChecked={fields.alerts?.includes('page') ?? true} /> Page: budget burns
              fast
            </label>
            <label>
              <input type="checkbox" name="ticket" defaultChecked={fields.alerts?.includes('ticket') ?? true} /> Ticket: it burns
              slowly
            </label>
          </fieldset>
        </Form>
        <SloPreview document={previewed} />
      </div>
    </Dialog>
  )
}

function IndicatorFields(props: { readonly kind: IndicatorKind; readonly fields: SloFields }): React.JSX.Element {
  const { kind, fields } = props
  const { availability, latency, ratio } = fields.indicator ?? {}
  if (kind === 'ratio')
    return (
      <>
        <label className={forms.field}>
          Bad events
          <input
            name="bad"
            required
            spellCheck={false}
            autoComplete="off"
            defaultValue={ratio?.bad}
            placeholder={'http_requests_total{code=~"5.."}'}
          />
        </label>
        <label className={forms.field}>
          All events
          <input
            name="total"
            required
            spellCheck={false}
            autoComplete="off"
            defaultValue={ratio?.total}
            placeholder="http_requests_total"
          />
        </label>
      </>
    )
  const operation = kind === 'latency' ? latency?.operation : availability?.operation
  return (
    <div className={styles.row}>
      <label className={forms.field}>
        {kind === 'latency' ? 'Operation' : 'Operation (empty: all)'}
        <input key={kind} name="operation" required={kind === 'latency'} autoComplete="off" defaultValue={operation} />
      </label>
      {kind === 'latency' && (
        <label className={forms.field}>
          At most
          <select name="threshold" defaultValue={latency?.threshold_ms ?? 250}>
            {THRESHOLDS_MS.map(ms => (
              <option key={ms} value={ms}>
                {ms} ms
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
