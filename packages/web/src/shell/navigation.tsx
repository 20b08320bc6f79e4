import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { clustersQuery } from '../api/queries.ts'
import { number } from '../format/quantity.ts'
import { KeyHint } from '../parts/key-hint.tsx'
import { Logo } from '../parts/logo.tsx'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../parts/theme.ts'
import { paletteKeys } from '../parts/keys.ts'
import { useMayOpen } from './page-access.ts'
import { keepCluster, menuPages } from './menu-pages.ts'

const nextTheme: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' }

/** Configuration pages, apart from the reports. */
const isApart = (to: string) => to === '/clusters' || to === '/settings'

type Props = { isOpen: boolean; onGo: () => void; onHelp: () => void; onPalette: () => void }

export function Navigation({ isOpen, onGo, onHelp, onPalette }: Props) {
  const mayOpen = useMayOpen()
  const { data } = useQuery({ ...clustersQuery, enabled: mayOpen('/clusters') })
  const theme = useThemeChoice()
  const { cluster } = useSearch({ strict: false })
  const shownClusters = data?.clusters.filter(({ id }) => cluster === undefined || id === cluster)
  const counts: Partial<Record<(typeof menuPages)[number]['to'], number | undefined>> = {
    '/recommendations': shownClusters?.reduce((sum, { open_recommendations: open }) => sum + (open ?? 0), 0),
    '/clusters': data?.clusters.length,
  }
  const shown = menuPages.filter(({ to }) => mayOpen(to))
  const entry = ({ to, word }: (typeof menuPages)[number]) => (
    <li key={to}>
      <Link to={to} search={keepCluster} activeOptions={{ exact: to === '/', includeSearch: false }} onClick={onGo}>
        <Logo />
        {word}
        <span className="nav-count">{counts[to] !== undefined && number(counts[to])}</span>
      </Link>
    </li>
  )
  return (
    <nav className="nav" aria-label="Pages" data-open={isOpen}>
      <div className="nav-inner">
        <Link to={shown[0]?.to ?? '/'} search={keepCluster} className="brand" onClick={onGo}>
          <Logo size={22} />
          Plimsoll
        </Link>
        <ul>{shown.filter(({ to }) => !isApart(to)).map(entry)}</ul>
        <ul>{shown.filter(({ to }) => isApart(to)).map(entry)}</ul>
        <div className="nav-foot">
          <button type="button" className="hover:text-ink" onClick={() => chooseTheme(nextTheme[theme])}>
            Theme: {theme}
          </button>
          <button type="button" className="hover:text-ink" onClick={onPalette}>
            <KeyHint>{paletteKeys}</KeyHint> Command palette
          </button>
          <button type="button" className="hover:text-ink max-phone:hidden" onClick={onHelp}>
            <KeyHint>?</KeyHint> Shortcuts
          </button>
          <a href="/docs" className="hover:text-ink">
            API documentation
          </a>
        </div>
      </div>
    </nav>
  )
}
