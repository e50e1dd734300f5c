import type { TimeWindow } from '../url/time-window.js'
import { QueryBox, type QueryBoxProps } from './query-box.js'
import { type FieldSource, useSuggestions } from './use-suggestions.js'

/**
 * A query box that completes fields and their values. A component of its own, so that a key that is pressed in it renders
 * nothing else of the page.
 */
export function FieldQueryBox<Names, Values>(
  props: Omit<QueryBoxProps, 'suggesting'> & {
    readonly source: FieldSource<Names, Values>
    readonly namespace: string
    readonly window: TimeWindow
  }
): React.JSX.Element {
  const { source, namespace, window, ...box } = props
  return <QueryBox {...box} suggesting={useSuggestions(source, namespace, window)} />
}
