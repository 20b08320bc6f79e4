import type { Permission, RoleOfGroup, TeamOfGroup } from '@plimsoll/contract'
import type { Generated } from 'kysely'
import type { Json } from './json.ts'

export type PeopleTables = {
  role: {
    name: string
    built_in: boolean
    permissions: Permission[]
    clusters: string[] | null
    namespaces: string[] | null
    teams: string[] | null
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  app_user: {
    user_id: string
    email: string
    password_hash: string | null
    role: string
    /** Teams of the groups of the user; null: not limited. */
    teams: Generated<string[] | null>
    disabled: Generated<boolean>
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  api_key: {
    key_id: string
    user_id: string
    name: string
    secret_mac: Buffer
    scopes: Permission[] | null
    expires_at: Date | null
    created_at: Date
  }
  session: {
    session_id: string
    user_id: string
    created_at: Date
    expires_at: Date
    address: string | null
    user_agent: string | null
    is_sso: Generated<boolean>
  }
  sso_identity: {
    issuer: string
    subject: string
    user_id: string
    linked_at: Date
    is_email_verified: Generated<boolean>
  }
  sign_in_rules: {
    rules_id: string
    roles: Json<RoleOfGroup[]>
    teams: Json<TeamOfGroup[]>
    revision: number
    updated_at: Date
  }
  one_time_link: { link_id: string; user_id: string | null; secret_mac: Buffer; created_at: Date; expires_at: Date }
  server_secret: {
    secret_id: string
    purpose: 'jwt' | 'mac'
    material: Buffer
    sealed: boolean
    created_at: Date
    retires_at: Date | null
  }
  last_use: { subject_id: string; at: Date }
}
