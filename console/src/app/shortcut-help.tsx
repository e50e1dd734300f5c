import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import styles from './shortcut-help.module.css'
import { PAGES } from './pages.js'

const KEYS: readonly (readonly [keys: string, action: string])[] = [
  ['/', 'Query'],
  ['Ctrl+K', 'Go to a page, a saved view, a service, a namespace or a trace id'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close the detail'],
  ['[ ]', 'Previous and next record in the open detail'],
  ['f x', 'Filter for, or filter out, the value in focus'],
  ['t', 'Time range'],
  ['Z', 'Undo zoom'],
  ['-', 'Zoom out'],
  [', .', 'Window back and forward'],
  ['r', 'Refresh'],
  ['Space', 'Pause or continue the live tail'],
  ['T', 'Open the trace of the record'],
  ['L', 'Open the logs of the span'],
  ['e E', 'Next and previous span with an error'],
  ['← →', 'Fold and unfold'],
  ['c', 'Copy a live link'],
  ['w', 'Wrap messages'],
  ['?', 'This list']
]

/** All keyboard shortcuts, and the switch for those of a single character (WCAG 2.1.4). */
export function ShortcutHelp(props: {
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
  readonly onClose: () => void
}): React.JSX.Element {
  return (
    <Dialog label="Keyboard shortcuts" onClose={props.onClose}>
      <h2>Keyboard shortcuts</h2>
      <dl className={styles.keys}>
        {[...KEYS, ...PAGES.map(([name, , key]) => [`g ${key}`, name] as const)].map(([keys, action]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={props.isOn} onChange={event => props.onSwitch(event.currentTarget.checked)} /> Single-key
        shortcuts
      </label>
      <Button onClick={props.onClose}>Close</Button>
    </Dialog>
  )
}
