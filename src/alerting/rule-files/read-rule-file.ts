import type { Node } from 'yaml'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { checkLabels, readRule } from './read-rule.js'
import { type FileGroup, MAX_FILE_ERRORS, type RuleFile } from './rule-file.js'
import { readDuration, readLabelMap, readLimit } from './yaml-values.js'
import { YamlFile } from './yaml-node.js'

const GROUP_MEMBERS: ReadonlySet<string> = new Set(['name', 'interval', 'query_offset', 'limit', 'rules', 'labels'])

/**
 * Reads a rule file of Prometheus with the verdicts of `promtool check rules` (model/rulefmt/rulefmt.go): unknown members,
 * wrong types, repeated groups, rules that are both or neither, invalid expressions, names and templates. Rules may have the
 * members that `parseRule` knows in addition. Labels of a group become labels of its rules.
 */
export function readRuleFile(text: string, readPromql: ReadPromql): RuleFile {
  const file = new YamlFile(text)
  const groups = readGroups(file, readPromql)
  return { groups, errors: file.errors.slice(0, MAX_FILE_ERRORS) }
}

function readGroups(file: YamlFile, readPromql: ReadPromql): readonly FileGroup[] {
  const root = file.members(file.root, 'rulefmt.RuleGroups')
  if (root === null) return []
  for (const name of root.keys()) if (name !== 'groups') file.add(file.root, `field ${name} not found in type rulefmt.RuleGroups`)
  const nodes = file.items(root.get('groups') ?? null, 'rulefmt.RuleGroup') ?? []
  const names = new Set<string>()
  return nodes.flatMap(node => {
    const group = readGroup(file, node, readPromql)
    if (group === null) return []
    if (group.name === '') file.add(node, 'Groupname must not be empty')
    if (names.has(group.name)) file.add(node, `groupname: "${group.name}" is repeated in the same file`)
    names.add(group.name)
    return [group]
  })
}

function readGroup(file: YamlFile, node: Node | null, readPromql: ReadPromql): FileGroup | null {
  const members = file.members(node, 'rulefmt.RuleGroup')
  if (members === null) return null
  const get = (name: string): Node | null => members.get(name) ?? null
  for (const name of members.keys())
    if (!GROUP_MEMBERS.has(name)) file.add(get(name) ?? node, `field ${name} not found in type rulefmt.RuleGroup`)
  const name = file.string(get('name')) ?? ''
  const labels = readLabelMap(file, get('labels'))
  for (const message of checkLabels(labels)) file.add(get('labels'), message)
  const rules = file.items(get('rules'), 'rulefmt.Rule') ?? []
  return {
    name,
    intervalMs: readDuration(file, get('interval')) || null,
    limit: readLimit(file, get('limit')),
    queryOffsetMs: get('query_offset') === null ? null : readDuration(file, get('query_offset')),
    rules: rules.flatMap((rule, i) => readRule(file, rule, { name, number: i + 1, labels }, readPromql) ?? [])
  }
}
