import type { Cluster } from '@plimsoll/contract'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { dollars } from '../format/money.ts'
import { Icon } from '../parts/icon.tsx'
import { largestCluster } from '../parts/largest-cluster.ts'
import { isOfOneCluster } from './menu-pages.ts'

/** The clusters that the page shows. Pages about one cluster do not offer all clusters. */
export function ClusterPicker({ clusters }: { clusters: readonly Cluster[] }) {
  const navigate = useNavigate()
  const { cluster } = useSearch({ strict: false })
  const isOne = useLocation({ select: ({ pathname }) => isOfOneCluster(pathname) })
  const picked = clusters.find(({ id }) => id === cluster) ?? (isOne ? largestCluster(clusters) : undefined)
  const pick = (id: string | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, cluster: id }) as { cluster?: string } })
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button min-w-0">
        <span className="max-w-[22ch] truncate">{picked?.name ?? 'All clusters'}</span>
        <Icon name="chevron" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu max-h-[70vh] overflow-auto" align="start" sideOffset={4}>
          {!isOne && (
            <DropdownMenu.Item className="menu-item" onSelect={() => pick(undefined)}>
              All clusters
            </DropdownMenu.Item>
          )}
          {clusters.map(({ id, name, monthly_cost: cost }) => (
            <DropdownMenu.Item key={id} className="menu-item" onSelect={() => pick(id)}>
              <span className="max-w-[32ch] truncate">{name}</span>
              <span className="ml-auto pl-4 text-ink-3">{cost !== null && `${dollars(cost)}/month`}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
