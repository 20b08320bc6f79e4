import type { Generated } from 'kysely'

export type ViewsTables = {
  saved_view: {
    view_id: string
    user_id: string
    name: string
    path: string
    is_shared: boolean
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
}
