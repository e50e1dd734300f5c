import type UPlot from 'uplot'
import { drawLabel } from './canvas-label.js'

/** A moment with a name, as a vertical line. */
export interface TimeMark {
  readonly name: string
  readonly ms: number
}

const COLOUR = 'var(--muted)'
const MAX_NAME_CHARACTERS = 24

/** Draws the marks inside the plot, each with its name at the top of its line. */
export function drawMarks(plot: UPlot, marks: readonly TimeMark[], colourOf: (colour: string) => string): void {
  const { ctx, bbox } = plot
  for (const { name, ms } of marks) {
    const x = plot.valToPos(ms, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.save()
    ctx.strokeStyle = ctx.fillStyle = colourOf(COLOUR)
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
    const isLeft = x > bbox.left + bbox.width / 2
    ctx.textAlign = isLeft ? 'right' : 'left'
    ctx.textBaseline = 'top'
    drawLabel(ctx, name.slice(0, MAX_NAME_CHARACTERS), { x: isLeft ? x - 4 : x + 4, y: bbox.top + 2 }, colourOf)
    ctx.restore()
  }
}
