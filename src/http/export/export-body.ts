import { createHash } from 'node:crypto'
import type { Position } from '../../domain/search.js'
import type { ExportRun } from '../../query/export/export-run.js'
import { toProblem } from '../error-reply.js'
import { toGatewayError } from '../error-translation.js'
import type { RowFormat } from './row-format.js'

/** Rows that are written in one step: less than a millisecond. */
const ROWS_PER_STEP = 100

/** An export that has its first page. */
interface StartedExport<Row extends Position> {
  readonly run: ExportRun<Row>
  readonly pages: AsyncIterator<readonly Row[]>
  readonly first: IteratorResult<readonly Row[]>
  readonly format: RowFormat<Row>
  readonly requestId: string
  /** Rejects when the caller may not read any more. */
  readonly recheck: () => Promise<void>
}

/**
 * The bytes of an export. An error ends the file with a statement of it, if the format has one, and then the body, so that the
 * connection breaks: no client takes the file for a whole one.
 */
export async function* exportBody<Row extends Position>(started: StartedExport<Row>): AsyncGenerator<Buffer, void, undefined> {
  const { run, pages, format, requestId } = started
  const hash = createHash('sha256')
  try {
    for await (const bytes of rowBytes(started)) {
      hash.update(bytes)
      // Without bytes there is nothing to wait for.
      if (bytes.length > 0) yield bytes
    }
    yield format.end({ ...run.facts, sha256: hash.digest('hex') })!
  } catch (error) {
    const { body } = toProblem(toGatewayError(error), requestId)
    const end = format.end({ ...run.facts, sha256: hash.digest('hex'), error: body })
    if (end) yield end
    throw error
  } finally {
    await pages.return?.()
  }
}

/** All that comes before the statement at the end. */
async function* rowBytes<Row extends Position>({ first, pages, format, recheck }: StartedExport<Row>): AsyncGenerator<Buffer> {
  yield format.begin()
  for (let next = first; !next.done; next = await pages.next()) {
    for (let at = 0; at < next.value.length; at += ROWS_PER_STEP) yield format.rows(next.value.slice(at, at + ROWS_PER_STEP))
    await recheck()
  }
  yield format.rest()
}
