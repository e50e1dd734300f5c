/** A record of a line. */
export interface FoundRecord {
  readonly message: string
  /** Stream that it is of, and when it arrived. */
  readonly stream: string
  readonly receivedAt: string
}

/** By file, how many lines of how many, the first and the last; or lines. */
export interface Comparison {
  readonly missing: readonly string[]
  readonly doubled: readonly string[]
  /** Records that match no line that was written: broken or cut. */
  readonly strange: readonly string[]
  readonly outOfOrder: readonly string[]
}

/** `alpha g3` of a line. */
function fileOf(line: string): string {
  return line.split(' ', 2).join(' ')
}

function numberOf(line: string): number {
  return Number(line.split(' ', 3)[2]!.slice(1))
}

const short = (line: string): string => line.slice(0, 60)

/** Lines by their file: how many of how many, the first and the last. */
function byFile(lines: readonly string[], expected: readonly string[]): readonly string[] {
  const found = new Map<string, string[]>()
  for (const line of lines) found.set(fileOf(line), [...(found.get(fileOf(line)) ?? []), line])
  return [...found].map(([file, its]) => {
    const all = expected.filter(line => line.startsWith(`${file} `)).length
    return `${file}: ${its.length} of ${all} lines, ${numberOf(its[0]!)} to ${numberOf(its.at(-1)!)}`
  })
}

/** How the records of files that came twice are spread over streams, in the order of the store. */
function partsOf(found: readonly FoundRecord[], files: ReadonlySet<string>): readonly string[] {
  const parts: { key: string; first: FoundRecord; last: FoundRecord }[] = []
  for (const record of found) {
    const file = fileOf(record.message)
    if (!files.has(file)) continue
    const key = `${file} ${record.stream} ${record.receivedAt}`
    const open = parts.at(-1)
    if (open?.key === key) open.last = record
    else parts.push({ key, first: record, last: record })
  }
  return parts.map(({ key, first, last }) => `${key}: ${numberOf(first.message)} to ${numberOf(last.message)}`)
}

/** What is wrong with the records of the lines that were written; empty lists when nothing is. */
export function compareRecords(expected: readonly string[], records: readonly FoundRecord[]): Comparison {
  const all = new Set(expected)
  const counts = new Map<string, number>()
  const last = new Map<string, number>()
  const outOfOrder: string[] = []
  const found = records.map(({ message }) => message)
  for (const line of found) {
    counts.set(line, (counts.get(line) ?? 0) + 1)
    if (!all.has(line)) continue
    const [file, number] = [fileOf(line), numberOf(line)]
    if (number < (last.get(file) ?? -1)) outOfOrder.push(short(line))
    last.set(file, number)
  }
  const twice = [...counts].filter(([line, count]) => count > 1 && all.has(line)).map(([line]) => line)
  return {
    missing: byFile(
      expected.filter(line => !counts.has(line)),
      expected
    ),
    doubled: [...byFile(twice, expected), ...partsOf(records, new Set(twice.map(fileOf)))],
    strange: [...counts.keys()].filter(line => !all.has(line)).map(short),
    outOfOrder
  }
}
