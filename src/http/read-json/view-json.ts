import type { SavedViewContent } from '../../access/saved-view-service.js'
import type { ViewReply } from '../routes/views-schemas.js'
import { timeJson } from './alert-json.js'

/** A saved view. */
export function viewJson({ id, name, signal, state, createdBy, updatedBy, updatedAtMs }: SavedViewContent): ViewReply {
  return { id, name, signal, state, created_by: createdBy, updated_by: updatedBy, updated_at: timeJson(updatedAtMs) }
}
