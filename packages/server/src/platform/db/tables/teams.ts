import type { Generated } from 'kysely'

export type TeamsTables = {
  team: {
    name: string
    contact: string | null
    cost_center: string | null
    revision: Generated<number>
    created_at: Date
    updated_at: Date | null
  }
  team_channel: { team: string; channel_id: string }
}
