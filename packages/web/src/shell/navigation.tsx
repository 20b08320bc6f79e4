import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clustersQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Mark } from '../parts/mark.tsx'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../parts/theme.ts'

const places = [
  { to: '/', word: 'Overview', needs: 'clusters:read' },
  { to: '/recommendations', word: 'Recommendations', needs: 'recommendations:read' },
  { to: '/allocation', word: 'Allocation', needs: 'reports:read' },
  { to: '/efficiency', word: 'Efficiency', needs: 'clusters:read' },
  { to: '/nodes', word: 'Nodes', needs: 'clusters:read' },
  { to: '/savings', word: 'Savings', needs: 'recommendations:read' },
] as const

const nextTheme: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' }

type Props = { isOpen: boolean; onGo: () => void; onHelp: () => void }

export function Navigation({ isOpen, onGo, onHelp }: Props) {
  const may = useMay()
  const { data } = useQuery({ ...clustersQuery, enabled: may('clusters:read') })
  const theme = useThemeChoice()
  return (
    <nav className="nav" aria-label="Pages" data-open={isOpen}>
      <div className="nav-inner">
        <Link to="/" search={keepCluster} className="brand" onClick={onGo}>
          <Mark size={22} />
          Plimsoll
        </Link>
        <ul>
          {places
            .filter(({ needs }) => may(needs))
            .map(({ to, word }) => (
              <li key={to}>
                <Link
                  to={to}
                  search={keepCluster}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={onGo}
                >
                  <Mark />
                  {word}
                </Link>
              </li>
            ))}
        </ul>
        <ul>
          {may('clusters:read') && (
            <li>
              <Link to="/clusters" search={keepCluster} activeOptions={{ includeSearch: false }} onClick={onGo}>
                <Mark />
                Clusters
                <span className="nav-count">{data?.clusters.length}</span>
              </Link>
            </li>
          )}
          <li>
            <Link to="/settings" search={keepCluster} activeOptions={{ includeSearch: false }} onClick={onGo}>
              <Mark />
              Settings
            </Link>
          </li>
        </ul>
        <div className="nav-foot">
          <button
            type="button"
            className="justify-self-start hover:text-ink"
            onClick={() => chooseTheme(nextTheme[theme])}
          >
            Theme: {theme}
          </button>
          <button
            type="button"
            className="flex items-center gap-1.5 justify-self-start hover:text-ink"
            onClick={onHelp}
          >
            <kbd className="keycap">?</kbd> shortcuts
          </button>
          <a href="/docs" className="justify-self-start hover:text-ink">
            API documentation
          </a>
        </div>
      </div>
    </nav>
  )
}

/** Another page shows the same cluster; everything else in the address belongs to the page. */
export const keepCluster = ({ cluster }: { cluster?: string }) => (cluster === undefined ? {} : { cluster })
