import type { Cluster } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { clustersQuery } from '../api/queries.ts'
import { ago } from '../format/time.ts'
import { Icon } from '../parts/icon.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { Logo } from '../parts/logo.tsx'
import { State, Tag } from '../parts/state-tags.tsx'
import { useNow } from '../parts/now.ts'
import { ClusterPicker } from './cluster-picker.tsx'
import { keepCluster } from './menu-pages.ts'
import { useMayOpen } from './page-access.ts'
import { UserMenu } from './user-menu.tsx'

type Props = { isMenuOpen: boolean; onMenu: () => void; onPalette: () => void }

export function TopBar({ isMenuOpen, onMenu, onPalette }: Props) {
  const mayOpen = useMayOpen()
  const clusters = useQuery({ ...clustersQuery, enabled: mayOpen('/clusters') })
  const all = clusters.data?.clusters ?? []
  return (
    <header className="top">
      <button
        type="button"
        className="-ml-3 grid size-11 place-items-center phone:hidden"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      >
        <Icon name={isMenuOpen ? 'cross' : 'menu'} />
      </button>
      <span className="hidden items-center gap-2 font-semibold min-[440px]:flex phone:hidden">
        <Logo size={20} />
        <span className="sr-only">Plimsoll</span>
      </span>
      {all.length > 0 && <ClusterPicker clusters={all} />}
      <span className="grow" />
      {all.some(isDemo) && (
        <Tag title="These clusters are simulated">
          Demo<span className="max-phone:hidden"> data</span>
        </Tag>
      )}
      <span className="hidden wide:inline">
        {clusters.isError ? <State tone="danger">service unavailable</State> : <Freshness clusters={all} />}
      </span>
      {mayOpen('/recommendations') && <Search />}
      <button
        type="button"
        className="grid size-11 place-items-center phone:hidden"
        aria-label="Search"
        onClick={onPalette}
      >
        <Icon name="search" />
      </button>
      <UserMenu />
    </header>
  )
}

/** Clusters of the demo are marked in their names. */
const isDemo = ({ name }: Cluster) => name.endsWith('(demo)')

function Freshness({ clusters }: { clusters: readonly Cluster[] }) {
  const now = useNow()
  const { cluster } = useSearch({ strict: false })
  const shown = clusters.filter(({ id }) => cluster === undefined || id === cluster)
  const late = shown.filter(({ status }) => status === 'stale' || status === 'disconnected')
  const newest = shown
    .flatMap(({ agent }) => agent.last_seen_at ?? [])
    .sort()
    .at(-1)
  if (newest === undefined) return null
  if (late.length > 0) {
    return (
      <State tone="warn">
        {late.length === 1 ? `${late[0]?.name} is delayed` : `${late.length} clusters are delayed`}
      </State>
    )
  }
  return <span className="text-sm text-ink-3">Last report {ago(newest, now)}</span>
}

function Search() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate({
      to: '/recommendations',
      search: (old) => ({ ...keepCluster(old), ...(text === '' ? {} : { text }) }),
    })
  }
  return (
    <form className="relative hidden phone:block" role="search" onSubmit={submit}>
      <input
        id="search"
        className="input w-52 pr-8 pl-8 wide:w-56"
        type="search"
        placeholder="Search workloads"
        aria-label="Search workloads"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="pointer-events-none absolute top-2 left-2.5 text-ink-3">
        <Icon name="search" />
      </span>
      {text === '' && <KeyHint className="pointer-events-none absolute top-1.5 right-2">/</KeyHint>}
    </form>
  )
}
