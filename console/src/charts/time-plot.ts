import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { InstantFormat } from '../format/instant.js'
import type { TimeWindow } from '../url/time-window.js'
import { toMs } from '../format/instant.js'
import { drawLabel } from './canvas-label.js'
import { gridTimes, isolatedSamples, type Samples } from './chart-data.js'
import type { TimeGrid } from './chart-data.js'
import { drawLine } from './dense-lines.js'
import { drawBands, type TimeBand } from './time-bands.js'
import { drawMarks, type TimeMark } from './time-marks.js'

/** A line of a time chart. */
export interface ChartSeries {
  readonly name: string
  readonly samples: Samples
  /** A CSS colour; `var(--token)` follows the theme. */
  readonly colour: string
  /** Lengths of dashes and gaps in pixels; solid when absent. */
  readonly dash?: readonly number[]
}

/** A horizontal line at a value, with its name. */
export interface Threshold {
  readonly name: string
  readonly value: number
  readonly colour: string
}

/** What a plot draws. */
export interface PlotContent {
  readonly grid: TimeGrid
  readonly series: readonly ChartSeries[]
  readonly thresholds: readonly Threshold[]
  readonly marks: readonly TimeMark[]
  readonly bands: readonly TimeBand[]
  /** Ends of the time axis; the whole window, also where samples are missing. */
  readonly window: TimeWindow
  /** True to start the value axis at 0. */
  readonly isFromZero: boolean
  readonly format: InstantFormat
  readonly formatValue: (value: number) => string
}

/** What a plot reports. */
export interface PlotEvents {
  /** The sample under the pointer; null when the pointer has left. */
  readonly onCursor: (index: number | null) => void
  /** The ends of a selection, in milliseconds. */
  readonly onSelect: (fromMs: number, toMs: number) => void
}

const FONT = '11px system-ui, sans-serif'
const LINE_PX = 1.5
const POINT_PX = 4
/** Height of the name of a threshold, which is below its line where there is no room above. */
const THRESHOLD_TEXT_PX = 14
const TOKEN = /^var\((--[\w-]+)\)$/
/** More lines are drawn as single pixels, without what costs time for each: dashes and a mark under the pointer. */
const MAX_DETAILED = 500
/** Distance in pixels below which a drag is a click. */
const DRAG_PX = 4

/** Colours as the canvas needs them: tokens as their value in the theme of now, read once until `forget`. */
function canvasColours(element: Element): { readonly colourOf: (colour: string) => string; readonly forget: () => void } {
  const known = new Map<string, string>()
  const read = (colour: string): string => {
    const token = TOKEN.exec(colour)
    return token ? getComputedStyle(element).getPropertyValue(token[1]!).trim() : colour
  }
  const colourOf = (colour: string): string => {
    const value = known.get(colour) ?? read(colour)
    known.set(colour, value)
    return value
  }
  return { colourOf, forget: () => known.clear() }
}

/** Contains all samples, and the first threshold: how far it is away is part of the picture. */
function valueRange({ isFromZero, thresholds }: PlotContent): UPlot.Range.Function {
  return (_plot, min, max) => {
    // uPlot passes null bounds when no series has a sample.
    if (min === null || max === null) return [0, 1]
    const [low, high] = UPlot.rangeNum(min, Math.max(max, thresholds[0]?.value ?? max), 0.1, true) as [number, number]
    return isFromZero && min >= 0 ? [0, high || 1] : [low, high]
  }
}

function drawThresholds(plot: UPlot, thresholds: readonly Threshold[], colourOf: (colour: string) => string): void {
  const { ctx, bbox } = plot
  for (const { name, value, colour } of thresholds) {
    const y = plot.valToPos(value, 'y', true)
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    ctx.save()
    ctx.strokeStyle = ctx.fillStyle = colourOf(colour)
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
    ctx.textAlign = 'right'
    const isAtTop = y - bbox.top < THRESHOLD_TEXT_PX * devicePixelRatio
    ctx.textBaseline = isAtTop ? 'top' : 'bottom'
    drawLabel(ctx, name, { x: bbox.left + bbox.width - 4, y: isAtTop ? y + 2 : y - 2 }, colourOf)
    ctx.restore()
  }
}

/** The colour as `ImageData` has it, in the byte order of the machine. */
function pixelOf(colour: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0]!
}

/** Draws all lines as single pixels. */
function drawDense(plot: UPlot, { grid, series }: PlotContent, colourOf: (colour: string) => string): void {
  const { left, top, width, height } = plot.bbox
  const image = new ImageData(width, height)
  const pixels = { width, height, values: new Uint32Array(image.data.buffer) }
  const columns = gridTimes(grid).map(ms => Math.round(plot.valToPos(ms, 'x', true) - left))
  const scale = { columns, min: plot.scales['y']!.min!, max: plot.scales['y']!.max! }
  const colours = new Map([...new Set(series.map(({ colour }) => colour))].map(colour => [colour, pixelOf(colourOf(colour))]))
  for (const { samples, colour } of series) drawLine(pixels, samples, scale, colours.get(colour)!)
  // A canvas of its own: the lines cover the grid of the plot only where they are.
  const sheet = new OffscreenCanvas(width, height)
  sheet.getContext('2d')!.putImageData(image, 0, 0)
  plot.ctx.drawImage(sheet, left, top)
}

function axes(content: PlotContent, colourOf: (colour: string) => string): UPlot.Axis[] {
  const line = { stroke: () => colourOf('var(--line)'), width: 1 }
  const shared = { stroke: () => colourOf('var(--muted)'), font: FONT, ticks: { ...line, size: 4 }, gap: 4 }
  return [
    {
      ...shared,
      grid: { show: false },
      size: 24,
      space: 90,
      values: (_plot, splits, _axis, _space, step) => content.format.axis(splits, step)
    },
    {
      ...shared,
      grid: line,
      space: 28,
      values: (_plot, splits) => splits.map(value => (value == null ? '' : content.formatValue(value))),
      size: (_plot, values) => 16 + 6.2 * Math.max(3, ...(values ?? []).map(text => text?.length ?? 0))
    }
  ]
}

function lines(content: PlotContent, colourOf: (colour: string) => string): UPlot.Series[] {
  const isDetailed = content.series.length <= MAX_DETAILED
  return content.series.map(({ name, samples, colour, dash = [] }) => {
    const isolated = isDetailed ? isolatedSamples(samples) : []
    return {
      label: name,
      stroke: () => colourOf(colour),
      width: LINE_PX,
      dash: [...dash],
      ...(isDetailed ? {} : { paths: () => null }),
      // A missing sample is a gap: a line across it would claim values that were not measured.
      spanGaps: false,
      points: { show: false, size: POINT_PX, fill: () => colourOf(colour), filter: () => (isolated.length > 0 ? isolated : null) }
    }
  })
}

/** Draws a time chart into `host`, as wide as it is. The caller resizes, redraws on a change of theme, and destroys it. */
export function openTimePlot(host: HTMLElement, height: number, content: PlotContent, events: PlotEvents): UPlot {
  const { colourOf, forget } = canvasColours(host)
  const isDetailed = content.series.length <= MAX_DETAILED
  const options: UPlot.Options = {
    width: Math.max(1, host.clientWidth),
    height,
    ms: 1,
    tzDate: ms => UPlot.tzDate(new Date(ms), content.format.zoneName),
    legend: { show: false },
    padding: [8, 20, 0, 0],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: DRAG_PX },
      points: isDetailed ? { size: 6 } : { show: false }
    },
    scales: {
      x: { time: true, range: [toMs(content.window.from), toMs(content.window.to)] },
      y: { range: valueRange(content) }
    },
    axes: axes(content, colourOf),
    series: [{}, ...lines(content, colourOf)],
    hooks: {
      drawClear: [forget, plot => drawBands(plot, content.bands, colourOf)],
      draw: [
        plot => {
          if (!isDetailed) drawDense(plot, content, colourOf)
          drawThresholds(plot, content.thresholds, colourOf)
          drawMarks(plot, content.marks, colourOf)
        }
      ],
      setCursor: [plot => events.onCursor(plot.cursor.idx ?? null)],
      setSelect: [
        plot => {
          const { left, width } = plot.select
          if (width < DRAG_PX) return
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          events.onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
        }
      ]
    }
  }
  const data = [gridTimes(content.grid), ...content.series.map(({ samples }) => samples)] as UPlot.AlignedData
  return new UPlot(options, data, host)
}
