import type { SavedViewContent } from '../../access/saved-view-service.js'
import type { ViewReply } from '../routes/views-schemas.js'
import { timeJson } from './alert-json.js'

/** A saved view. */
export function viewJson({ id, name, signal, state, updatedBy, updatedAtMs }: SavedViewContent): ViewReply {
  return { id, name, signal, state, updated_by: updatedBy, updated_at: timeJson(updatedAtMs) }
}
