import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { visibleText } from '../format/visible-text.js'
import { useCaret } from '../ui/use-caret.js'
import { completionAt, type CompletionPoint } from './completion.js'
import styles from './promql-box.module.css'
import { useSuggestions } from './use-suggestions.js'

/** A PromQL expression while it is edited. */
export interface PromqlBoxProps {
  readonly label: string
  readonly value: string
  readonly isRefused: boolean
  readonly onChange: (value: string) => void
  readonly onRun: () => void
}

/** Longer expressions are refused by the API. */
const MAX_CHARACTERS = 20_000

/**
 * A text box that completes metric names, functions and labels. Enter runs the expression, Shift+Enter starts a new line;
 * arrows, Enter and Tab choose a suggestion while some are shown, Escape closes them.
 */
export function PromqlBox({ label, value, isRefused, onChange, onRun }: PromqlBoxProps): React.JSX.Element {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const moveCaret = useCaret(box)
  const [point, setPoint] = useState<CompletionPoint | null>(null)
  const [active, setActive] = useState(0)
  const suggestions = useSuggestions(point)
  const isOpen = point !== null && suggestions.length > 0
  const at = Math.min(active, suggestions.length - 1)
  const close = (): void => setPoint(null)
  const look = (text: string, caret: number): void => {
    const found = completionAt(text, caret)
    setPoint(found !== null && (found.prefix !== '' || found.kind === 'label') ? found : null)
    setActive(0)
  }
  const choose = (index: number): void => {
    const { from, prefix } = point!
    const { insert } = suggestions[index]!
    onChange(value.slice(0, from) + insert + value.slice(from + prefix.length))
    close()
    moveCaret(from + insert.length)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const next = event.key === 'ArrowDown' ? at + 1 : at - 1
      setActive((next + suggestions.length) % suggestions.length)
    } else if (
      isOpen &&
      (event.key === 'Tab' || (event.key === 'Enter' && active >= 0 && suggestions[at]!.insert !== point.prefix))
    )
      choose(at)
    else if (isOpen && event.key === 'Escape') close()
    else if (event.key === 'Enter' && !event.shiftKey) {
      close()
      onRun()
    } else return
    event.preventDefault()
  }
  return (
    <div className={styles.box}>
      <textarea
        ref={box}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-invalid={isRefused}
        rows={Math.min(8, value.split('\n').length)}
        value={value}
        placeholder={'sum by (service) (rate({"http.server.requests"}[5m]))'}
        maxLength={MAX_CHARACTERS}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
          look(currentTarget.value, currentTarget.selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {isOpen && (
        <div id={`${id}-list`} role="listbox" aria-label="Suggestions" className={styles.list}>
          {suggestions.map(({ name, detail }, index) => (
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the text box has the focus and the key events
            <div
              key={name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className={styles.option}
              onPointerDown={event => event.preventDefault()}
              onClick={() => choose(index)}
            >
              <span>{visibleText(name)}</span> <span className={styles.detail}>{detail}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
