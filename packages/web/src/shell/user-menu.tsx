import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { sessionQuery } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'
import { leave } from './leave.ts'

export function UserMenu() {
  const { data } = useQuery(sessionQuery)
  const queries = useQueryClient()
  const navigate = useNavigate()
  if (!data) return null
  const { email, role } = data.user
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button button-quiet -mr-2 min-w-0">
        <span className="hidden max-w-[24ch] truncate wide:inline">
          {email.split('@')[0]} · {role}
        </span>
        <span className="sr-only wide:hidden">Account</span>
        <span
          className="grid size-6 place-items-center rounded-full bg-sunken text-sm uppercase wide:hidden"
          aria-hidden="true"
        >
          {email.charAt(0)}
        </span>
        <Icon name="chevron" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          <DropdownMenu.Label className="menu-label">
            {email}, {role}
          </DropdownMenu.Label>
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => void navigate({ to: '/settings/$section', params: { section: 'profile' } })}
          >
            Profile and password
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void leave(queries, navigate)}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
