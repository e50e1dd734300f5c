import type { KeyboardEvent } from 'react'
import { formatCount } from '../format/number.js'
import { Button } from '../ui/button.js'
import styles from './page.module.css'

/** A search inside the trace. `position` is the 1-based number of the selected match, null when none is selected. */
export interface FindBoxProps {
  readonly text: string
  readonly count: number
  readonly position: number | null
  readonly onText: (text: string) => void
  readonly onMove: (direction: 'next' | 'previous') => void
}

const MAX_CHARACTERS = 200

/** Enter goes to the next match, Shift and Enter to the previous one. */
export function FindBox({ text, count, position, onText, onMove }: FindBoxProps): React.JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onMove(event.shiftKey ? 'previous' : 'next')
  }
  const hasText = text.trim() !== ''
  return (
    <div className={styles.find}>
      <input
        type="search"
        aria-label="Find in trace"
        placeholder="Find in trace"
        maxLength={MAX_CHARACTERS}
        value={text}
        onChange={event => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" aria-label="Matches" className={styles.matches}>
        {hasText && (count === 0 ? 'no match' : `${position === null ? '–' : formatCount(position)} of ${formatCount(count)}`)}
      </span>
      <Button kind="icon" aria-label="Previous match" disabled={count === 0} onClick={() => onMove('previous')}>
        ↑
      </Button>
      <Button kind="icon" aria-label="Next match" disabled={count === 0} onClick={() => onMove('next')}>
        ↓
      </Button>
    </div>
  )
}
