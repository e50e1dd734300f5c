import { basename, dirname } from 'node:path'
import { isSync, isWrite } from './system-calls.js'
import type { SystemCall } from './system-calls.js'

/** Which responses promise which file: an HTTP response that holds `response` promises what was written to `file`. */
export interface Promised {
  readonly responsePattern: RegExp
  /** Path of the log that must be on disk; a log of several files counts as one. */
  readonly file: RegExp
}

const HEAD_BYTES = 8

/** What came of checking a trace. */
export interface SyncFindings {
  /** How many responses or segments were examined. */
  readonly checked: number
  readonly violations: readonly string[]
}

/**
 * For a client that sends one request after the other: between two responses the promised log was written, it was synced
 * after its last write and before the response went out, and when the log was new, so was its name in its folder.
 */
export function checkResults(calls: readonly SystemCall[], promised: Promised): SyncFindings {
  const violations: string[] = []
  let checked = 0
  let since = -1
  for (const response of calls.filter(call => isResponse(call))) {
    if (promised.responsePattern.test(response.args)) {
      checked++
      const fault = faultBefore(calls, promised.file, since, response.begun)
      if (fault !== null) violations.push(`response ${checked}: ${fault}`)
    }
    since = response.ended
  }
  return { checked, violations }
}

function isResponse(call: SystemCall): boolean {
  return ['write', 'writev', 'sendto', 'sendmsg'].includes(call.name) && /"HTTP\/1\.1 \d{3} /.test(call.args)
}

function faultBefore(calls: readonly SystemCall[], file: RegExp, since: number, before: number): string | null {
  const written = calls.filter(call => isWrite(call) && file.test(call.path) && call.ended > since && call.begun < before)
  const lastWrite = written.at(-1)
  if (!lastWrite) return `nothing was written to ${file.source}`
  const name = basename(lastWrite.path)
  if (lastWrite.ended > before) return `${name} was still being written`
  const ofFile = ofPath(calls, lastWrite.path)
  if (!isSyncedBetween(ofFile, lastWrite.ended, before)) return `${name} was not synced after its last write`
  return isNamed(calls, firstOpening(ofFile, before), before) ? null : unnamed(name)
}

function unnamed(file: string): string {
  return `the folder of the new ${file} was not synced`
}

function isNamed(calls: readonly SystemCall[], made: SystemCall | null, before: number): boolean {
  return made === null || isSyncedBetween(ofPath(calls, dirname(made.path)), made.ended, before)
}

/**
 * For each file of the promised log: its name was on the disk before the first response that followed a write to it. Holds
 * while seals and merges write as well.
 */
export function checkNewLogs(calls: readonly SystemCall[], promised: Promised): SyncFindings {
  const responses = calls.filter(call => isResponse(call) && promised.responsePattern.test(call.args))
  const violations: string[] = []
  let checked = 0
  for (const path of new Set(calls.map(call => call.path).filter(each => promised.file.test(each)))) {
    const ofFile = ofPath(calls, path)
    const written = ofFile.find(isAnEntry)
    const response = written && responses.find(call => call.begun > written.ended)
    const made = response && firstOpening(ofFile, response.begun)
    if (!response || !made) continue
    checked++
    if (!isNamed(calls, made, response.begun)) violations.push(unnamed(basename(path)))
  }
  return { checked, violations }
}

/** A write beyond the few bytes that every file begins with. */
function isAnEntry(call: SystemCall): boolean {
  return isWrite(call) && Number.parseInt(call.result, 10) > HEAD_BYTES
}

/** The call that made the file: the first one that would create it, since it was last removed. */
function firstOpening(ofFile: readonly SystemCall[], before: number): SystemCall | null {
  const removed =
    ofFile.filter(call => call.name === 'unlink' && call.result.startsWith('0') && call.ended < before).at(-1)?.ended ?? -1
  const made = (call: SystemCall): boolean =>
    call.name === 'openat' && call.args.includes('O_CREAT') && !call.result.startsWith('-1')
  return ofFile.find(call => made(call) && call.begun > removed && call.begun < before) ?? null
}

function isSyncedBetween(calls: readonly SystemCall[], after: number, before: number): boolean {
  return calls.some(call => isSync(call) && call.begun > after && call.ended < before)
}

/**
 * For every file of the journal that was removed: what it held was on the disk in the database's log, which was synced
 * after its last write and before the removal.
 */
export function checkRemovals(calls: readonly SystemCall[], journal: RegExp, log: string): SyncFindings {
  const violations: string[] = []
  const removals = calls.filter(call => call.name === 'unlink' && call.result.startsWith('0') && journal.test(call.path))
  for (const removal of removals) {
    const last = calls.filter(call => isWrite(call) && call.path === removal.path && call.ended < removal.begun).at(-1)
    const ofLog = calls.filter(call => call.path.endsWith(log))
    if (last && !isSyncedBetween(ofLog, last.ended, removal.begun))
      violations.push(`${basename(removal.path)} was removed before ${log} was synced`)
  }
  return { checked: removals.length, violations }
}

/**
 * For every segment whose name a commit wrote to `log`: its content was synced after its last write, its folder after
 * the file came into it, and each folder made for it was entered durably into its parent, all before that commit.
 */
export function checkSegments(calls: readonly SystemCall[], log: string): SyncFindings {
  const commits = calls.filter(call => isWrite(call) && call.path.endsWith(log))
  const violations: string[] = []
  let checked = 0
  for (const segment of segmentsOf(calls)) {
    // A commit before the file appeared announces that it will be written; the next one lists it.
    const announced = calls.find(call => call.path === segment.written)?.begun ?? segment.appeared
    const commit = commits.find(call => call.args.includes(basename(segment.path)) && call.begun > announced)
    if (!commit) continue
    checked++
    violations.push(...faultsOfSegment(calls, segment, commit.begun).map(fault => `${basename(segment.path)}: ${fault}`))
  }
  return { checked, violations }
}

interface Segment {
  readonly path: string
  /** Where its content was written: another name when it was renamed into place. */
  readonly written: string
  readonly appeared: number
}

function segmentsOf(calls: readonly SystemCall[]): Segment[] {
  const created = calls.filter(call => call.name === 'openat' && call.args.includes('O_CREAT') && !call.result.startsWith('-1'))
  const renamed = calls.filter(
    call => call.name.startsWith('rename') && call.path.endsWith('.parquet') && call.result.startsWith('0')
  )
  const targets = renamed.map(call => ({ path: call.path, written: sourceOf(call), appeared: call.ended }))
  const moved = new Set(targets.map(target => target.written))
  const direct = created
    .filter(call => call.path.endsWith('.parquet') && !moved.has(call.path))
    .map(call => ({ path: call.path, written: call.path, appeared: call.ended }))
  return [...targets, ...direct]
}

function sourceOf(rename: SystemCall): string {
  return /"((?:[^"\\]|\\.)*)"/.exec(rename.args)?.[1] ?? ''
}

function faultsOfSegment(calls: readonly SystemCall[], segment: Segment, commit: number): string[] {
  const faults: string[] = []
  const content = calls.filter(call => call.path === segment.written || call.path === segment.path)
  const lastWrite = content.filter(call => isWrite(call) && call.begun < commit).at(-1)
  if (!lastWrite) faults.push('nothing was written to it')
  else if (!isSyncedBetween(content, lastWrite.ended, commit)) faults.push('its content was not synced before the commit')
  const folder = dirname(segment.path)
  if (!isSyncedBetween(ofPath(calls, folder), segment.appeared, commit))
    faults.push('its folder was not synced before the commit')
  for (const made of calls.filter(call => call.name.startsWith('mkdir') && call.result.startsWith('0'))) {
    if (!`${folder}/`.startsWith(`${made.path}/`)) continue
    if (!isSyncedBetween(ofPath(calls, dirname(made.path)), made.ended, commit))
      faults.push(`the new folder ${basename(made.path)} was not synced into its parent`)
  }
  return faults
}

function ofPath(calls: readonly SystemCall[], path: string): SystemCall[] {
  return calls.filter(call => call.path === path)
}
