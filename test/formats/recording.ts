import type { RecordedRead } from './read-all.js'

/** Someone who can sign in on a recorded folder. Invented for the fixture. */
export interface Person {
  readonly email: string
  readonly password: string
  /** In the recorded namespace. */
  readonly role: string
}

/** The content of a recorded folder. */
export interface Recording {
  /** The commit whose code wrote the folder. */
  readonly commit: string
  readonly namespaceId: string
  readonly people: readonly Person[]
  readonly queryKey: string
  /** Names of the API keys of the namespace. */
  readonly keys: readonly string[]
  readonly errorGroups: Readonly<Record<string, string>>
  readonly responses: readonly RecordedRead[]
}

/** Files of a recorded folder, below `test/fixtures/formats/<name>/`. */
export const ARCHIVE = 'folder.tar.gz'
export const RESPONSES = 'responses.json.gz'
