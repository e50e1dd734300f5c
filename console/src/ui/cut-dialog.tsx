import { useState } from 'react'
import { useInstantFormat } from '../app/use-instant-format.js'
import { quarterBefore, type TimeWindow } from '../url/time-window.js'
import { useAddress } from '../url/use-address.js'
import { useRefresh } from '../url/use-refresh.js'
import { usePageWindow } from '../url/use-window.js'
import { Button } from './button.js'
import styles from './cut-dialog.module.css'
import { Dialog } from './dialog.js'

/** A reason why a result is incomplete. */
export interface ResultCut {
  readonly kind: string
  readonly detail: string
  readonly remedy: string
  /** Affected part of the window; null when it is not known. */
  readonly window?: TimeWindow | null | undefined
}

/** Completeness of a result, as `QueryStats` of the API has it. */
export interface Completeness {
  readonly complete: boolean
  readonly warnings: readonly string[]
  readonly cuts?: readonly ResultCut[]
}

/** The button "Why is this cut?" with its dialog. `rows` is the number of loaded rows, of results that have rows. */
export function WhyCut({ stats, rows }: { readonly stats: Completeness; readonly rows?: string }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const { cuts = [], warnings } = stats
  const explained = new Set(cuts.map(({ detail }) => detail))
  return (
    <>
      <Button onClick={() => setOpen(true)}>Why is this cut?</Button>
      {isOpen && (
        <Dialog label="Why is this cut?" onClose={close}>
          <h2>Why is this cut?</h2>
          <ul className={styles.reasons}>
            {cuts.map(cut => (
              <li key={cut.detail}>
                <Reason cut={cut} onDone={close} />
              </li>
            ))}
            {warnings
              .filter(warning => !explained.has(warning))
              .map(warning => (
                <li key={warning}>{warning}</li>
              ))}
          </ul>
          {rows !== undefined && <p>{rows} are loaded. Others that match may be missing.</p>}
          <Button onClick={close}>Close</Button>
        </Dialog>
      )}
    </>
  )
}

function Reason({ cut, onDone }: { readonly cut: ResultCut; readonly onDone: () => void }): React.JSX.Element {
  const { kind, detail, remedy, window } = cut
  const format = useInstantFormat()
  return (
    <>
      <p>
        <strong>{kind.toLowerCase()}</strong>: {detail}
      </p>
      {window && (
        <p>
          Affected: {format.time(window.from)} to {format.time(window.to)} ({format.zoneName}).
        </p>
      )}
      <p>{remedy}</p>
      <Action cut={cut} onDone={onDone} />
    </>
  )
}

/** What a person can do here: leave out what is not stored, read less, or read again. */
function Action({ cut, onDone }: { readonly cut: ResultCut; readonly onDone: () => void }): React.JSX.Element {
  const { window } = usePageWindow()
  const { change } = useAddress()
  const refresh = useRefresh()
  const act = (action: () => void) => () => {
    onDone()
    action()
  }
  const affected = cut.window
  if (cut.kind === 'RETENTION' && affected)
    return <Button onClick={act(() => change({ from: affected.to }))}>Show what is stored</Button>
  if (cut.kind === 'STORE' || cut.kind === 'SPOOLED') return <Button onClick={act(() => void refresh())}>Read again</Button>
  return <Button onClick={act(() => change({ ...quarterBefore(window) }))}>Narrow to the last quarter</Button>
}
