import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isQueryFault } from '../api/errors.js'
import { useShortcuts } from '../app/use-shortcuts.js'
import { Button } from '../ui/button.js'
import { useCaret } from '../ui/use-caret.js'
import styles from './query-box.module.css'
import { quoted } from './quoted.js'
import { type Completion, completionAt, tokenize } from './tokens.js'

/** A field name or a value that completes a query. */
export interface Suggestion {
  readonly text: string
  /** How many records have it; null when not known. */
  readonly count: number | null
}

/** The query of a list. */
export interface QueryBoxProps {
  readonly value: string
  readonly placeholder: string
  /** Error of the last search; one that concerns the query is shown below the box, under its character. */
  readonly error: unknown
  readonly onSubmit: (query: string) => void
  /** Loads suggestions; absent for a box without them. */
  readonly suggesting?: Suggesting
}

/** The source of suggestions. */
export interface Suggesting {
  /** For what is being typed; empty while they load. */
  readonly suggestions: readonly Suggestion[]
  /** Takes what is being typed, null when the box is left. */
  readonly onComplete: (completion: Completion | null) => void
}

const MAX_QUERY_CHARACTERS = 8_192

/** The query with a suggestion in the place of what was typed, and the caret after it. */
function completed(query: string, completion: Completion, text: string): { readonly query: string; readonly caret: number } {
  const isTerminated = query.charAt(completion.to) === ':'
  const written = completion.kind === 'field' ? `${text}${isTerminated ? '' : ':'}` : `${quoted(text)} `
  const start = query.slice(0, completion.from) + written
  return { query: start + query.slice(completion.to).trimStart(), caret: start.length }
}

/** The search language with colours; arrows and Enter choose a suggestion, Enter without one searches. */
export function QueryBox({ value, placeholder, error, onSubmit, suggesting }: QueryBoxProps): React.JSX.Element {
  const id = useId()
  const suggestions = suggesting?.suggestions ?? []
  const input = useRef<HTMLInputElement>(null)
  const moveCaret = useCaret(input)
  const colours = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  const [completion, setCompletion] = useState<Completion | null>(null)
  const [chosen, setChosen] = useState(-1)
  if (shown !== value) {
    // Back, Forward and clicks on values change the query without typing.
    setShown(value)
    setTyped(value)
  }
  useShortcuts({ '/': () => input.current?.focus() })
  useEffect(() => {
    if (colours.current && input.current) colours.current.scrollLeft = input.current.scrollLeft
  })
  const complete = (next: Completion | null): void => {
    setCompletion(next)
    setChosen(-1)
    suggesting?.onComplete(next)
  }
  const accept = (suggestion: Suggestion): void => {
    const { query, caret } = completed(typed, completion!, suggestion.text)
    setTyped(query)
    complete(null)
    moveCaret(caret)
  }
  const isOpen = completion !== null && suggestions.length > 0
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (isOpen && step !== 0) setChosen((chosen + step + suggestions.length + 1) % (suggestions.length + 1))
    else if (isOpen && (event.key === 'Enter' || event.key === 'Tab') && suggestions[chosen]) accept(suggestions[chosen])
    else if (isOpen && event.key === 'Escape') complete(null)
    else return
    event.preventDefault()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    complete(null)
    onSubmit(typed.trim())
  }
  const fault = isQueryFault(error) && typed === value ? error : null
  return (
    <search className={styles.search}>
      <form className={styles.box} onSubmit={submit}>
        <div className={styles.field}>
          <Colours ref={colours} query={typed} faultAt={fault?.position ?? null} />
          <input
            ref={input}
            role="combobox"
            aria-label="Query"
            aria-expanded={isOpen}
            aria-controls={`${id}-suggestions`}
            aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
            aria-autocomplete="list"
            aria-invalid={fault !== null}
            aria-describedby={fault ? `${id}-fault` : undefined}
            placeholder={placeholder}
            value={typed}
            maxLength={MAX_QUERY_CHARACTERS}
            spellCheck={false}
            autoComplete="off"
            onChange={event => {
              setTyped(event.currentTarget.value)
              complete(completionAt(event.currentTarget.value, event.currentTarget.selectionStart ?? 0))
            }}
            onKeyDown={onKeyDown}
            onBlur={() => complete(null)}
            onScroll={event => {
              if (colours.current) colours.current.scrollLeft = event.currentTarget.scrollLeft
            }}
          />
        </div>
        <Button type="submit">Search</Button>
      </form>
      <Suggestions id={id} isOpen={isOpen} suggestions={suggestions} chosen={chosen} onAccept={accept} />
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault.message.charAt(0).toUpperCase() + fault.message.slice(1)}
          {fault.suggestions.length > 0 && `; try: ${fault.suggestions.join(', ')}`}
        </p>
      )}
    </search>
  )
}

function Colours(props: {
  readonly ref: React.Ref<HTMLDivElement>
  readonly query: string
  readonly faultAt: number | null
}): React.JSX.Element {
  const { ref, query, faultAt } = props
  return (
    <div ref={ref} className={styles.colours} aria-hidden="true">
      {tokenize(query).map(({ kind, from, to, text }) => (
        <span key={from} className={styles[kind]} data-fault={(faultAt !== null && from <= faultAt && faultAt < to) || undefined}>
          {text}
        </span>
      ))}
      {faultAt !== null && faultAt >= query.length && <span data-fault> </span>}
    </div>
  )
}

function Suggestions(props: {
  readonly id: string
  readonly isOpen: boolean
  readonly suggestions: readonly Suggestion[]
  readonly chosen: number
  readonly onAccept: (suggestion: Suggestion) => void
}): React.JSX.Element {
  const { id, isOpen, suggestions, chosen, onAccept } = props
  return (
    <div id={`${id}-suggestions`} role="listbox" aria-label="Suggestions" className={styles.suggestions} hidden={!isOpen}>
      {isOpen &&
        suggestions.map((suggestion, index) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the input has the key events of its options
          <div
            key={suggestion.text}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            // The input keeps the focus.
            onMouseDown={event => event.preventDefault()}
            onClick={() => onAccept(suggestion)}
          >
            <span>{suggestion.text}</span>
            {suggestion.count !== null && <span className={styles.count}>{suggestion.count.toLocaleString('en')}</span>}
          </div>
        ))}
    </div>
  )
}
