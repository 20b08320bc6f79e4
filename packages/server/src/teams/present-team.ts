import type { Team } from '@plimsoll/contract'
import { withEtag } from '../platform/http/etag.ts'
import type { TeamRow } from './queries/teams.ts'

export type ShownTeam = Pick<TeamRow, 'name' | 'contact' | 'cost_center' | 'channel_ids' | 'revision' | 'updated_at'>

/** A label named the team a moment ago. */
export const newTeam = (name: string): ShownTeam => ({
  name,
  contact: null,
  cost_center: null,
  channel_ids: [],
  revision: 0,
  updated_at: null,
})

export const presentTeam = ({ name, contact, cost_center, channel_ids, revision, updated_at }: ShownTeam): Team =>
  withEtag(revision, {
    name,
    contact,
    cost_center,
    channel_ids,
    updated_at: updated_at?.toISOString() ?? null,
  })
