/** Linear or encoded red, green and blue from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Normal sight and the three dichromacies. */
export const VISIONS = ['normal', 'protanopia', 'deuteranopia', 'tritanopia'] as const

type Matrix = readonly [Rgb, Rgb, Rgb]

// Machado, Oliveira, Fernandes (2009), severity 1.0, on linear RGB.
const DICHROMACY: Readonly<Record<'protanopia' | 'deuteranopia' | 'tritanopia', Matrix>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]
  ]
}

/** `#rrggbb` as encoded sRGB. */
export function rgbOf(hex: string): Rgb {
  const channel = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [channel(1), channel(3), channel(5)]
}

function linear([red, green, blue]: Rgb): Rgb {
  const decode = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  return [decode(red), decode(green), decode(blue)]
}

function times(matrix: Matrix, [a, b, c]: Rgb): Rgb {
  const row = ([x, y, z]: Rgb): number => x * a + y * b + z * c
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

/** Contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const luminance = (colour: Rgb): number => {
    const [red, green, blue] = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

/** What a colour looks like, as linear RGB. */
export function simulated(colour: Rgb, vision: (typeof VISIONS)[number]): Rgb {
  if (vision === 'normal') return linear(colour)
  const [red, green, blue] = times(DICHROMACY[vision], linear(colour))
  const within = (value: number): number => Math.max(0, Math.min(1, value))
  return [within(red), within(green), within(blue)]
}

/** Euclidean distance in OKLab of two colours of linear RGB. */
export function distance(a: Rgb, b: Rgb): number {
  const [first, second] = [oklab(a), oklab(b)]
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2])
}

// Björn Ottosson, "A perceptual color space for image processing" (2020).
function oklab(colour: Rgb): Rgb {
  const [l, m, s] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005]
    ],
    colour
  )
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766]
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)]
  )
}
