import { useState } from 'react'
import { ancestorsOf, type TreeSpan } from './span-tree.js'

/** Which spans are folded, and how to change that. */
export interface Folding {
  readonly folded: ReadonlySet<string>
  readonly fold: (span: TreeSpan, isFolded: boolean) => void
  /** Folds exactly these spans. */
  readonly foldOnly: (spanIds: readonly string[]) => void
}

/** The folded spans of a tree. A new selection unfolds its ancestors once; they can be folded again. */
export function useFolding(tree: readonly TreeSpan[], selected: string | null): Folding {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<string | null>(null)
  if (shown !== selected) {
    setShown(selected)
    const hidden = new Set(
      ancestorsOf(
        tree,
        tree.findIndex(({ spanId }) => spanId === selected)
      )
    )
    if ([...hidden].some(id => folded.has(id))) setFolded(new Set([...folded].filter(id => !hidden.has(id))))
  }
  const [actions] = useState(() => ({
    fold: (span: TreeSpan, isFolded: boolean) =>
      setFolded(before => {
        const next = new Set(before)
        if (isFolded) next.add(span.spanId)
        else next.delete(span.spanId)
        return next
      }),
    foldOnly: (spanIds: readonly string[]) => setFolded(new Set(spanIds))
  }))
  return { folded, ...actions }
}
