import { useMemo, useState } from 'react'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.js'
import { visibleText } from '../format/visible-text.js'
import { criticalSections } from './critical.js'
import { foldedToLevel, foldedToService } from './folded.js'
import type { Folding } from './folding.js'
import { Minimap } from './minimap.js'
import type { Trace } from './outline.js'
import { type View, WHOLE } from './sections.js'
import type { TreeSpan } from './span-tree.js'
import { Waterfall } from './waterfall.js'

/** A trace and what of it is selected and found. */
export interface WaterfallPanelProps {
  readonly trace: Trace
  readonly tree: readonly TreeSpan[]
  readonly colours: ReadonlyMap<string, string>
  readonly folding: Folding
  readonly selected: string | null
  readonly matches: ReadonlySet<number>
  readonly onSelect: (spanId: string) => void
}

/** The map of all spans above the rows of the visible ones. */
export function WaterfallPanel(props: WaterfallPanelProps): React.JSX.Element {
  const { trace, tree, colours } = props
  const [view, setView] = useState<View>(WHOLE)
  const critical = useMemo(() => criticalSections(tree), [tree])
  return (
    <>
      <Minimap tree={tree} durationMs={trace.durationMs} colours={colours} view={view} onView={setView} />
      <Waterfall
        tree={tree}
        colours={colours}
        durationMs={trace.durationMs}
        view={view}
        critical={critical}
        folding={props.folding}
        selected={props.selected}
        matches={props.matches}
        onSelect={props.onSelect}
      />
    </>
  )
}

const MAX_LEVELS = 8
const MAX_SERVICES = 20

/** Folds the tree to a level, or the spans of a service. */
export function FoldMenu(props: {
  readonly tree: readonly TreeSpan[]
  readonly services: readonly string[]
  readonly foldOnly: Folding['foldOnly']
}): React.JSX.Element {
  const { tree, services, foldOnly } = props
  const depth = useMemo(() => tree.reduce((deepest, span) => Math.max(deepest, span.depth), 0), [tree])
  const levels = Array.from({ length: Math.min(depth, MAX_LEVELS) }, (_, index) => index + 1)
  return (
    <Menu label="Fold">
      <MenuItem onSelect={() => foldOnly([])}>Unfold all</MenuItem>
      {levels.map(level => (
        <MenuItem key={level} onSelect={() => foldOnly(foldedToLevel(tree, level))}>
          {level === 1 ? 'Show 1 level' : `Show ${level} levels`}
        </MenuItem>
      ))}
      {services.length > 1 && <MenuSeparator />}
      {services.length > 1 &&
        services.slice(0, MAX_SERVICES).map(service => (
          <MenuItem key={service} onSelect={() => foldOnly(foldedToService(tree, service))}>
            Fold spans of {visibleText(service || 'unnamed services')}
          </MenuItem>
        ))}
    </Menu>
  )
}
