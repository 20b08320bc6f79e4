import type { TeamRule } from '@plimsoll/contract'
import type { Generated } from 'kysely'
import type { Json } from './json.ts'

export type SettingsTables = {
  team_mapping: { mapping_id: string; rules: Json<TeamRule[]>; revision: Generated<number>; updated_at: Date }
}
