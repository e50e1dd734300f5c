import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteSloDocument, SloBudgetDocument, type SloBudgetQuery } from '../api/generated/Slos.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Form } from '../ui/form.js'
import layout from '../ui/page-layout.module.css'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { AlertStateMark } from './alert-state.js'
import styles from './page.module.css'
import { SloBudget } from './slo-budget-view.js'
import { kindOf, type SloFields } from './slo-draft.js'
import { SloForm } from './slo-form.js'

type Slo = NonNullable<SloBudgetQuery['slo']>

const REFRESH_MS = 60_000

/** The report of one SLO below the list. */
export function SloPanel(props: { readonly id: string; readonly onClose: () => void }): React.JSX.Element {
  const { id, onClose } = props
  const namespace = useNamespace()
  const result = useRequest(SloBudgetDocument, { id }, { namespace, refreshMs: REFRESH_MS })
  return (
    <section className={layout.box} aria-label="Error budget" aria-busy={result.isFetching}>
      <ResultView result={result} what="the error budget">
        {({ slo }) =>
          slo ? (
            <Loaded slo={slo} onClose={onClose} />
          ) : (
            <Empty title="No SLO of this namespace has this id">
              <Button onClick={onClose}>Close</Button>
            </Empty>
          )
        }
      </ResultView>
    </section>
  )
}

function Loaded({ slo, onClose }: { readonly slo: Slo; readonly onClose: () => void }): React.JSX.Element {
  const { report } = slo
  return (
    <>
      <div className={styles.facts}>
        <h2>{visibleText(slo.name)}</h2>
        <span>
          {slo.objective} % of {visibleText(slo.service)} in {slo.window}
        </span>
        {!slo.enabled && <span className={styles.muted}>off</span>}
        <span>version {slo.version}</span>
        <Actions slo={slo} onClose={onClose} />
      </div>
      {report && <SloBudget report={report} />}
      <Rules rules={slo.rules} />
    </>
  )
}

function Rules({ rules }: { readonly rules: Slo['rules'] }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <table className={styles.table}>
      <caption>Rules that this SLO produces</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Rule</th>
          <th scope="col">Last error</th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ id, alert, record, state, enabled, lastError }) => (
          <tr key={id}>
            <td>{enabled ? <AlertStateMark state={state} /> : <span className={styles.muted}>off</span>}</td>
            <td>
              <Link to="/n/$namespace/alerts/$id" params={{ namespace, id }} search={pageSearch(search)}>
                {visibleText(alert ?? record ?? '')}
              </Link>
            </td>
            <td>{visibleText(lastError ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ slo, onClose }: { readonly slo: Slo; readonly onClose: () => void }): React.JSX.Element {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const document = slo.document as SloFields
  const isEditable = kindOf(document) !== null
  return (
    <span className={styles.states}>
      {isEditable && (
        <RoleButton needs="MEMBER" onClick={() => setDialog('edit')}>
          Edit
        </RoleButton>
      )}
      <RoleButton needs="MEMBER" onClick={() => setDialog('delete')}>
        Delete
      </RoleButton>
      <Button onClick={onClose}>Close</Button>
      {dialog === 'edit' && <SloForm edited={{ id: slo.id, version: slo.version, document }} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && <DeleteSlo slo={slo} onClose={() => setDialog(null)} onDeleted={onClose} />}
    </span>
  )
}

function DeleteSlo(props: {
  readonly slo: Slo
  readonly onClose: () => void
  readonly onDeleted: () => void
}): React.JSX.Element {
  const { slo, onClose, onDeleted } = props
  const { mutate, error, isPending } = useSend(DeleteSloDocument, useNamespace(), onDeleted)
  return (
    <Dialog label="Delete SLO" onClose={onClose}>
      <h2>Delete SLO</h2>
      <Form submitLabel="Delete" error={error} isSending={isPending} onSubmit={() => mutate({ id: slo.id })} onCancel={onClose}>
        <p>Deleting {visibleText(slo.name)} removes its rules and resolves their alerts. What it counted is kept.</p>
      </Form>
    </Dialog>
  )
}
