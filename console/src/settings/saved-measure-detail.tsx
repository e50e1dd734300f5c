import { useState } from 'react'
import { DeleteMeasureDocument } from '../api/generated/SavedMeasures.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { BackfillForm } from '../measures/backfill-form.js'
import { MetricLink } from '../measures/metric-link.js'
import { savedExpression } from '../measures/to-saved.js'
import { Dialog } from '../ui/dialog.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { Instant } from '../ui/instant.js'
import { useNamespace } from '../url/use-address.js'
import { DetailCard } from './detail-card.js'
import { backfillShare, savedTitle, type StoredMeasure } from './measure-state.js'
import styles from './page.module.css'

/** What a saved measure computes and how far it is, its backfill and its deletion. */
export function SavedMeasureDetail(props: { readonly measure: StoredMeasure; readonly onClose: () => void }): React.JSX.Element {
  const { measure, onClose } = props
  const { name, error, incomplete, incompleteAt } = measure
  const [isOpen, setOpen] = useState<'backfill' | 'delete' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <DetailCard label="Saved measure" title={visibleText(name)} onClose={onClose}>
      {error != null && (
        <p className={forms.warning}>The next steps are not computed yet, and are tried again: {visibleText(error)}</p>
      )}
      {incomplete != null && (
        <p className={forms.warning}>
          Step of <Instant value={incompleteAt!} />: {visibleText(incomplete)}
        </p>
      )}
      <Facts measure={measure} />
      <div className={styles.row}>
        <MetricLink expression={savedExpression(measure)} />
        <RoleButton needs="MEMBER" onClick={() => setOpen('backfill')}>
          Compute the past
        </RoleButton>
        <RoleButton needs="MEMBER" onClick={() => setOpen('delete')}>
          Delete
        </RoleButton>
      </div>
      {isOpen === 'backfill' && (
        <Dialog label="Compute the past" onClose={close}>
          <h2>Compute the past of {visibleText(name)}</h2>
          <BackfillForm name={name} onDone={close} onCancel={close} />
        </Dialog>
      )}
      {isOpen === 'delete' && <DeleteMeasure name={name} onClose={close} />}
    </DetailCard>
  )
}

function Facts({ measure }: { readonly measure: StoredMeasure }): React.JSX.Element {
  const { description, signal, query, metrics, countedUntil, settledUntil } = measure
  return (
    <dl className={styles.facts}>
      {description !== '' && <dt>Description</dt>}
      {description !== '' && <dd>{visibleText(description)}</dd>}
      <dt>Measure</dt>
      <dd>{visibleText(savedTitle(measure))}</dd>
      <dt>Of</dt>
      <dd>
        {signal === 'LOGS' ? 'logs' : 'spans'} {query !== '' && <code>{visibleText(query)}</code>}
      </dd>
      <dt>Metrics</dt>
      <dd>{metrics.join(', ')}</dd>
      <dt>Counted until</dt>
      <dd>
        <Instant value={countedUntil} />
      </dd>
      <dt>Settled until</dt>
      <dd>
        <Instant value={settledUntil} />: records before are counted by computing the past
      </dd>
      <BackfillFacts measure={measure} />
    </dl>
  )
}

function BackfillFacts({ measure }: { readonly measure: StoredMeasure }): React.JSX.Element | null {
  const { backfill } = measure
  if (!backfill) return null
  const share = backfillShare(measure)
  return (
    <>
      <dt>Past</dt>
      <dd>
        <Instant value={backfill.from} /> to <Instant value={backfill.until} />:{' '}
        {share === null ? (
          'computed'
        ) : (
          <>
            <progress aria-label="Backfill" value={share} /> {formatShare(share)}
          </>
        )}
      </dd>
    </>
  )
}

function DeleteMeasure({ name, onClose }: { readonly name: string; readonly onClose: () => void }): React.JSX.Element {
  const { mutate, error, isPending } = useSend(DeleteMeasureDocument, useNamespace(), onClose)
  return (
    <Dialog label="Delete saved measure" onClose={onClose}>
      <h2>Delete {visibleText(name)}</h2>
      <Form submitLabel="Delete" error={error} isSending={isPending} onSubmit={() => mutate({ name })} onCancel={onClose}>
        <p>The measure ends. Its samples stay as long as metrics are kept; alerts on them find no new ones.</p>
      </Form>
    </Dialog>
  )
}
