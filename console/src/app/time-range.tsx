import { type FormEvent, useId, useState } from 'react'
import { resolveZone } from '../format/instant.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { one } from '../url/search-codec.js'
import { lastOf, resolveBound, shifted, windowChanges, type WindowChoice, zoomedOut } from '../url/time-window.js'
import { useAddress } from '../url/use-address.js'
import { useInstantFormat } from './use-instant-format.js'
import { usePageWindow } from '../url/use-window.js'
import { useShortcuts } from './use-shortcuts.js'
import styles from './time-range.module.css'

const PRESETS = ['5m', '15m', '1h', '6h', '24h', '7d'].map(span => ({ from: `now-${span}`, to: 'now' }))
const ZONES = ['local', 'utc', ...Intl.supportedValuesOf('timeZone')]

function isSame(a: WindowChoice | undefined, b: WindowChoice): boolean {
  return a?.from === b.from && a.to === b.to
}

const MAX_EARLIER = 50

/** The window before the current one, since the page was opened; null without one. */
function useEarlierWindow(choice: WindowChoice): WindowChoice | null {
  const [windows, setWindows] = useState<readonly WindowChoice[]>([choice])
  if (!isSame(windows.at(-1), choice)) {
    const isUndone = isSame(windows.at(-2), choice)
    setWindows(isUndone ? windows.slice(0, -1) : [...windows, choice].slice(-MAX_EARLIER))
  }
  return windows.at(-2) ?? null
}

/** Shows and changes the window and the time zone of the page. */
export function TimeRange(): React.JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const { choice, window } = usePageWindow()
  const { change } = useAddress()
  const format = useInstantFormat()
  const earlier = useEarlierWindow(choice)
  const go = (to: WindowChoice): void => change(windowChanges(to))
  useShortcuts({
    t: () => setOpen(true),
    Z: () => earlier && go(earlier),
    '-': () => go(zoomedOut(window)),
    ',': () => go(shifted(window, -1n)),
    '.': () => go(shifted(window, 1n))
  })
  const bound = (text: string): string => (text.startsWith('now') ? text : format.time(text))
  const text = lastOf(choice) ?? `${bound(choice.from)} to ${bound(choice.to)}`
  return (
    <>
      {earlier && <Button onClick={() => go(earlier)}>Undo zoom</Button>}
      <Button aria-haspopup="dialog" aria-label={`Time range: ${text}`} onClick={() => setOpen(true)}>
        {text} ▾
      </Button>
      {isOpen && (
        <Dialog label="Time range" onClose={() => setOpen(false)}>
          <RangeForm choice={choice} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function validate(from: HTMLInputElement, to: HTMLInputElement): boolean {
  const nowMs = Date.now()
  const [start, end] = [resolveBound(from.value, nowMs), resolveBound(to.value, nowMs)]
  const hint = 'Write a time such as now-15m or 2026-11-20T11:40:00Z'
  from.setCustomValidity(start === null ? hint : '')
  to.setCustomValidity(end === null ? hint : start !== null && start >= end ? 'The end must be after the start' : '')
  return from.reportValidity() && to.reportValidity()
}

function RangeForm({ choice, onDone }: { readonly choice: WindowChoice; readonly onDone: () => void }): React.JSX.Element {
  const id = useId()
  const { search, change } = useAddress()
  const zone = one(search, 'tz') ?? 'local'
  const apply = (window: WindowChoice, tz = zone): void => {
    change({ ...windowChanges(window), tz: tz === 'local' ? null : tz })
    onDone()
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { from, to, tz } = event.currentTarget.elements as unknown as Record<'from' | 'to', HTMLInputElement> & {
      tz: HTMLSelectElement
    }
    if (validate(from, to)) apply({ from: from.value, to: to.value }, tz.value)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.presets}>
        {PRESETS.map(preset => (
          <Button key={preset.from} onClick={() => apply(preset)}>
            {lastOf(preset)}
          </Button>
        ))}
      </div>
      <label htmlFor={`${id}-from`}>
        From
        <input
          id={`${id}-from`}
          name="from"
          defaultValue={choice.from}
          onInput={event => event.currentTarget.setCustomValidity('')}
        />
      </label>
      <label htmlFor={`${id}-to`}>
        To
        <input id={`${id}-to`} name="to" defaultValue={choice.to} onInput={event => event.currentTarget.setCustomValidity('')} />
      </label>
      <label htmlFor={`${id}-tz`}>
        Time zone
        <select id={`${id}-tz`} name="tz" defaultValue={zone}>
          {ZONES.includes(zone) ? null : <option value={zone}>{zone}</option>}
          {ZONES.map(one => (
            <option key={one} value={one}>
              {one === 'local' ? `Local (${resolveZone('local')})` : one === 'utc' ? 'UTC' : one}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.actions}>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit">
          Apply
        </Button>
      </div>
    </form>
  )
}
