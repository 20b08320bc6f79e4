import type { Permission, Role } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { permissionName, readFirst } from '../../format/permissions.ts'
import { TextField } from '../../parts/controls.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

const queryKey = ['roles']

export function Roles() {
  const may = useMay()
  const queries = useQueryClient()
  const roles = useQuery({ queryKey, queryFn: () => api.listRoles() })
  const [failure, run] = useFailure()
  const refresh = () => queries.invalidateQueries({ queryKey })
  const grant = (role: Role, permission: string) => {
    const has = role.permissions.includes(permission)
    const permissions = has ? role.permissions.filter((each) => each !== permission) : [...role.permissions, permission]
    void run(() =>
      api.updateRole({ params: { role: role.name }, body: { permissions: permissions as Permission[] } }).then(refresh),
    )
  }
  const remove = (role: Role) => void run(() => api.deleteRole({ params: { role: role.name } }).then(refresh))
  return (
    <>
      <Section title="Permissions by role" meta="each permission is granted separately">
        {failure}
        <QueryState query={roles} what="The roles">
          {({ roles: rows, permissions }) => (
            <Matrix
              roles={rows}
              permissions={readFirst(permissions)}
              mayWrite={may('roles:write')}
              onGrant={grant}
              onRemove={remove}
            />
          )}
        </QueryState>
      </Section>
      {may('roles:write') && (
        <Section title="New role" meta="A new role has no permissions. Add them in the table above.">
          <NewRole onMade={() => void refresh()} />
        </Section>
      )}
    </>
  )
}

type MatrixProps = {
  roles: readonly Role[]
  permissions: readonly string[]
  mayWrite: boolean
  onGrant: (role: Role, permission: string) => void
  onRemove: (role: Role) => void
}

function Matrix({ roles, permissions, mayWrite, onGrant, onRemove }: MatrixProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Permissions by role">
      <table className="table table-matrix w-auto">
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map((role) => (
              <th key={role.name} scope="col" className="px-1.5 text-center phone:px-4">
                <span className="font-medium text-ink">{role.name}</span>
                {!role.built_in && mayWrite && (
                  <button
                    type="button"
                    className="ml-1.5 inline-grid size-6 place-items-center align-middle"
                    aria-label={`Delete role ${role.name}`}
                    onClick={() => onRemove(role)}
                  >
                    <Icon name="cross" />
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <tr key={permission}>
              <th scope="row" className="border-b border-rule text-ink">
                <span className="block font-normal">{permissionName(permission)}</span>
                <code className="text-sm font-normal text-ink-3">{permission}</code>
              </th>
              {roles.map((role) => (
                <td key={role.name} className="text-center">
                  {role.built_in || !mayWrite ? (
                    <Held isHeld={role.permissions.includes(permission)} />
                  ) : (
                    <input
                      type="checkbox"
                      className="choice align-middle"
                      aria-label={`${role.name} may ${permission}`}
                      checked={role.permissions.includes(permission)}
                      onChange={() => onGrant(role, permission)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Held({ isHeld }: { isHeld: boolean }) {
  return isHeld ? (
    <span className="inline-block align-middle text-ok">
      <Icon name="check" />
      <span className="sr-only">yes</span>
    </span>
  ) : (
    <span className="text-ink-3">–</span>
  )
}

function NewRole({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('')
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isMade = await run(() => api.createRole({ body: { name, permissions: [] } }))
    if (!isMade) return
    setName('')
    onMade()
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Name, lowercase"
        className="w-56"
        required
        pattern="[a-z][a-z0-9_\-]*"
        maxLength={63}
        placeholder="finops"
        value={name}
        onChange={setName}
      />
      <button className="button h-8">Create role</button>
      {failure}
    </form>
  )
}
