const BACKGROUND = 'var(--bg)'
const OUTLINE_PX = 3

/** Writes a label that stays legible over lines: an outline in the colour of the page separates it from them. */
export function drawLabel(
  context: CanvasRenderingContext2D,
  text: string,
  at: { readonly x: number; readonly y: number },
  colourOf: (colour: string) => string
): void {
  context.setLineDash([])
  context.lineJoin = 'round'
  context.lineWidth = OUTLINE_PX * devicePixelRatio
  context.strokeStyle = colourOf(BACKGROUND)
  context.strokeText(text, at.x, at.y)
  context.fillText(text, at.x, at.y)
}
