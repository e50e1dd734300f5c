import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

/** The module that the plugin provides; console/src/rum/world-map-module.d.ts has its types. */
const MODULE = 'virtual:world-map'
const WIDTH = 960
/** Islands and bays below this many tenths of a pixel are not drawn. */
const DECIMALS = 1
const ANTARCTICA = '010'

type Position = readonly [longitude: number, latitude: number]

interface Geometry {
  readonly type: 'Polygon' | 'MultiPolygon'
  readonly id?: string
  readonly arcs: readonly (readonly number[])[] | readonly (readonly (readonly number[])[])[]
  readonly properties: { readonly name: string }
}

/** The part of TopoJSON that world-atlas uses: quantized arcs as differences, shared by neighbours. */
interface Topology {
  readonly arcs: readonly (readonly Position[])[]
  readonly transform: { readonly scale: Position; readonly translate: Position }
  readonly objects: { readonly countries: { readonly geometries: readonly Geometry[] } }
}

/** Coefficients of the Equal Earth projection (Šavrič, Patterson, Jenny, 2018), which keeps the areas of countries. */
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796]

function project([longitude, latitude]: Position): Position {
  const radians = Math.PI / 180
  const theta = Math.asin((Math.sqrt(3) / 2) * Math.sin(latitude * radians))
  const t2 = theta ** 2
  const t6 = t2 ** 3
  const x = (2 * Math.sqrt(3) * longitude * radians * Math.cos(theta)) / (3 * (A1 + 3 * A2 * t2 + t6 * (7 * A3 + 9 * A4 * t2)))
  return [x, -theta * (A1 + A2 * t2 + t6 * (A3 + A4 * t2))]
}

function decodeArcs({ arcs, transform: { scale, translate } }: Topology): readonly (readonly Position[])[] {
  return arcs.map(arc => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Position => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
}

/** The points of a ring; a negative index is an arc of a neighbour, backwards. */
function ringOf(indices: readonly number[], arcs: readonly (readonly Position[])[]): readonly Position[] {
  return indices.flatMap((index, at) => {
    const arc = index < 0 ? arcs[~index]!.toReversed() : arcs[index]!
    return at === 0 ? arc : arc.slice(1)
  })
}

/** The part of a ring on one side of a meridian; `side` is 1 for the west of it, -1 for the east. */
function clipAt(ring: readonly Position[], meridian: number, side: 1 | -1): readonly Position[] {
  const isInside = ([x]: Position): boolean => (meridian - x) * side >= 0
  return ring.flatMap((to, index) => {
    const from = ring.at(index - 1)!
    const kept = isInside(to) ? [to] : []
    if (isInside(from) === isInside(to)) return kept
    const share = (meridian - from[0]) / (to[0] - from[0])
    return [[meridian, from[1] + share * (to[1] - from[1])] as const, ...kept]
  })
}

/** A ring as it is on the map: one that crosses the antimeridian is cut there, and has a part at each end. */
function ringsOnMap(ring: readonly Position[]): readonly (readonly Position[])[] {
  let turn = 0
  const unwrapped = ring.map(([x, y], index): Position => {
    const step = x - (ring[index - 1]?.[0] ?? x)
    if (Math.abs(step) > 180) turn -= Math.sign(step) * 360
    return [x + turn, y]
  })
  const xs = unwrapped.map(([x]) => x)
  const shifted = (by: number): readonly Position[] => unwrapped.map(([x, y]): Position => [x + by, y])
  if (Math.max(...xs) > 180) return [clipAt(unwrapped, 180, 1), clipAt(shifted(-360), -180, -1)]
  return Math.min(...xs) < -180 ? [clipAt(unwrapped, -180, -1), clipAt(shifted(360), 180, 1)] : [unwrapped]
}

/** ISO 3166-1 alpha-2 of a numeric code: CLDR, which Intl contains, has numeric codes as aliases. */
function alpha2(id: string | undefined): string | null {
  if (id === undefined) return null
  const region = new Intl.Locale(Intl.getCanonicalLocales(`und-${id}`)[0]!).region
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : null
}

function drawMap(topology: Topology): { readonly width: number; readonly height: number; readonly countries: unknown } {
  const arcs = decodeArcs(topology)
  const edge = project([180, 0])[0]
  const scale = WIDTH / (2 * edge)
  const shown = topology.objects.countries.geometries.filter(({ id }) => id !== ANTARCTICA)
  const rings = shown.map(({ type, arcs: parts }) => {
    const polygons =
      type === 'Polygon' ? [parts as readonly (readonly number[])[]] : (parts as readonly (readonly (readonly number[])[])[])
    return polygons
      .flat()
      .flatMap(indices => ringsOnMap(ringOf(indices, arcs)))
      .map(ring => ring.map(project))
  })
  const ys = rings.flat(2).map(([, y]) => y)
  const top = Math.min(...ys)
  const pathOf = (ring: readonly Position[]): string => {
    const points = ring.map(([x, y]) => `${((x + edge) * scale).toFixed(DECIMALS)},${((y - top) * scale).toFixed(DECIMALS)}`)
    const distinct = points.filter((point, index) => point !== points[index - 1])
    return distinct.length < 4 ? '' : `M${distinct.slice(0, -1).join('L')}Z`
  }
  return {
    width: WIDTH,
    height: Math.ceil((Math.max(...ys) - top) * scale),
    countries: shown.map(({ id, properties }, index) => ({
      code: alpha2(id),
      name: properties.name,
      path: rings[index]!.map(pathOf).join('')
    }))
  }
}

/** Provides the outlines of countries (Natural Earth, 1:110 million) as paths of SVG, made while the console is built. */
export function worldMap(): Plugin {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json')
  return {
    name: 'world-map',
    resolveId: id => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null
      const { width, height, countries } = drawMap(JSON.parse(readFileSync(file, 'utf8')) as Topology)
      const json = JSON.stringify(JSON.stringify(countries))
      return `export const width = ${width}\nexport const height = ${height}\nexport const countries = JSON.parse(${json})\n`
    }
  }
}
