const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const STEP = 1_024

/** A size with three significant digits: `512 B`, `1.21 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit++
  }
  return `${Number(value.toPrecision(3))} ${UNITS[unit]}`
}
