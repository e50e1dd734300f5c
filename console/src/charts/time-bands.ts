import type UPlot from 'uplot'

/** A time with a name, as an area behind the lines. */
export interface TimeBand {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

const COLOUR = 'var(--level-error)'
const AREA_ALPHA = 0.1
const EDGE_PX = 3

/** Draws the bands behind everything else: an area, and an edge at its top that stays visible where bands overlap. */
export function drawBands(plot: UPlot, bands: readonly TimeBand[], colourOf: (colour: string) => string): void {
  const { ctx, bbox } = plot
  const end = bbox.left + bbox.width
  ctx.save()
  ctx.fillStyle = colourOf(COLOUR)
  for (const { fromMs, toMs } of bands) {
    const left = Math.max(bbox.left, plot.valToPos(fromMs, 'x', true))
    const right = Math.min(end, plot.valToPos(toMs, 'x', true))
    if (right < bbox.left || left > end) continue
    const width = Math.max(devicePixelRatio, right - left)
    ctx.globalAlpha = AREA_ALPHA
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    ctx.fillRect(left, bbox.top, width, EDGE_PX * devicePixelRatio)
  }
  ctx.restore()
}
