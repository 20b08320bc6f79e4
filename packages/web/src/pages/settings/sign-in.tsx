import type { RoleOfGroup, SignInRules, TeamOfGroup } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { GroupRows } from './sign-in/group-rows.tsx'

const queryKey = ['sign-in-rules']

/** The roles and teams of the groups of the identity provider. */
export function SignInSettings() {
  const may = useMay()
  const readsRoles = may('roles:read') && may('settings:write')
  const rules = useQuery({
    queryKey,
    queryFn: async () => ({
      rules: await api.getSignInRules(),
      methods: await api.listSignInMethods(),
      roles: readsRoles ? await allRoleNames() : [],
    }),
  })
  return (
    <QueryState query={rules} what="The sign-in rules">
      {({ rules: loaded, methods, roles }) => (
        <>
          {!methods.oidc && (
            <Note>
              No identity provider is set up. Set PLIMSOLL_OIDC_ISSUER and PLIMSOLL_OIDC_CLIENT_ID, and restart the
              service.
            </Note>
          )}
          <RulesForm key={loaded.etag} loaded={loaded} roles={roles} />
        </>
      )}
    </QueryState>
  )
}

/** Of all pages of the list. */
async function allRoleNames(cursor?: string): Promise<string[]> {
  const { roles, next_cursor: next } = await api.listRoles({ query: { cursor } })
  const names = roles.map(({ name }) => name)
  return next === null ? names : [...names, ...(await allRoleNames(next))]
}

const noRole: RoleOfGroup = { group: '', role: 'viewer' }
const noTeam: TeamOfGroup = { group: '', team: '' }

function RulesForm({ loaded, roles: names }: { loaded: SignInRules; roles: readonly string[] }) {
  const mayWrite = useMay()('settings:write')
  const queries = useQueryClient()
  const [roles, setRoles] = useState(loaded.roles)
  const [teams, setTeams] = useState(loaded.teams)
  const [failure, run] = useFailure()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      await api.setSignInRules({ body: { roles, teams }, ifMatch: loaded.etag })
      await queries.invalidateQueries({ queryKey })
    })
  }
  return (
    <form className="grid gap-6" onSubmit={save}>
      <fieldset className="contents" disabled={!mayWrite}>
        <Section
          title="Roles by group"
          meta="The first matching group sets the role. Users without a match have no access."
        >
          <GroupRows rows={roles} empty={noRole} add="Add group" isOrdered onChange={setRoles}>
            {(row, change) => (
              <>
                <select
                  className="input"
                  aria-label={`Role of ${row.group}`}
                  value={row.role}
                  onChange={(event) => change({ role: event.target.value })}
                >
                  {[...new Set([...names, row.role])].map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
                <label className="inline-flex items-center gap-2">
                  <input
                    type="checkbox"
                    className="choice"
                    checked={row.own_teams_only ?? false}
                    onChange={(event) => change({ own_teams_only: event.target.checked })}
                  />
                  Limit to the teams of the user
                </label>
              </>
            )}
          </GroupRows>
        </Section>
        <Section title="Teams by group" meta="for groups that see only their teams">
          <GroupRows rows={teams} empty={noTeam} add="Add team" onChange={setTeams}>
            {(row, change) => (
              <input
                className="input"
                aria-label={`Team of ${row.group}`}
                placeholder="Team"
                required
                maxLength={100}
                value={row.team}
                onChange={(event) => change({ team: event.target.value })}
              />
            )}
          </GroupRows>
        </Section>
        {failure}
        {mayWrite && <button className="button button-primary justify-self-start">Save</button>}
      </fieldset>
      <p className="text-sm text-ink-3">
        The rules apply at the next sign-in. Open sessions keep their role for up to 24 hours.
      </p>
    </form>
  )
}
