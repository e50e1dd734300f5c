import { type ComponentType, type KeyboardEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import { visibleText } from '../format/visible-text.js'
import { Loading } from '../ui/states.js'
import styles from './facet-list.module.css'

/** A value of a field. */
export interface FacetBucket {
  readonly value: string
  readonly count: number
  /** Whether a condition of the search demands it. */
  readonly selected?: boolean
}

/** The values of a field that contain a text, each shown by `row`. */
export interface MatchesProps {
  readonly field: string
  readonly text: string
  readonly row: (bucket: FacetBucket) => ReactNode
}

const MAX_TEXT_CHARACTERS = 256

/** The values that a facet lists, or those that contain what is typed into the box above them. */
export function SearchedValues(props: {
  readonly field: string
  /** The field has values that are not listed. */
  readonly hasOthers: boolean
  readonly Matches: ComponentType<MatchesProps>
  /** `leave` moves the focus out of a match: another search lists it no more, or again later. */
  readonly row: (bucket: FacetBucket, leave: () => void) => ReactNode
  /** The listed values. */
  readonly children: ReactNode
}): React.JSX.Element {
  const { field, hasOthers, Matches, row, children } = props
  const [text, setText] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || text === '') return
    setText('')
    event.preventDefault()
  }
  return (
    <>
      {(hasOthers || text !== '') && (
        <input
          ref={box}
          className={styles.search}
          aria-label={`Search values of ${visibleText(field)}`}
          placeholder="Search values"
          value={text}
          maxLength={MAX_TEXT_CHARACTERS}
          spellCheck={false}
          autoComplete="off"
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
      {text === '' ? (
        children
      ) : (
        <Suspense fallback={<Loading what="values" />}>
          <Matches field={field} text={text} row={bucket => row(bucket, () => box.current?.focus())} />
        </Suspense>
      )}
    </>
  )
}
