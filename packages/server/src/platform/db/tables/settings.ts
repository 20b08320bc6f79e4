import type { SharingSettings, TeamRule } from '@plimsoll/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Json } from './json.ts'

export type SettingsTables = {
  team_mapping: {
    mapping_id: string
    rules: Json<TeamRule[]>
    /** Null: the default rules. */
    sharing: ColumnType<SharingSettings | null, string | undefined, string>
    revision: Generated<number>
    updated_at: Date
  }
}
