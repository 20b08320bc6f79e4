import type { Recommendation } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { catalogueQuery, clustersQuery, foundQuery, nodeNamesQuery } from '../api/queries.ts'
import { useMay, useIsLimited } from '../api/session.ts'
import { dollars } from '../format/money.ts'
import { ruleName } from '../format/labels.ts'
import { settingsSections } from './settings-sections.ts'
import { targetName } from '../parts/change-text.tsx'
import { useSettled } from '../parts/settled.ts'
import { chooseTheme } from '../parts/theme.ts'
import { leave } from './leave.ts'
import { useMayOpen } from './page-access.ts'
import { pickEntries } from './pick-entries.ts'
import { keepCluster, places } from './places.ts'

export type Entry = { id: string; word: string; detail?: string; keys?: readonly string[]; run: () => void }
export type EntryGroup = { name: string; entries: Entry[] }

type Found = { groups: EntryGroup[]; isLooking: boolean }

/** The pages, objects and actions that match the text and that the viewer may use. */
export function usePaletteEntries(text: string, onHelp: () => void): Found {
  const wanted = text.trim().toLowerCase()
  const pages = usePages()
  const clusters = useClusters()
  const { groups, isLooking } = useNames(wanted)
  const actions = useActions(onHelp)
  const all = [
    { name: 'Pages', entries: pickEntries(pages, wanted, 20) },
    { name: 'Clusters', entries: pickEntries(clusters, wanted) },
    ...(wanted === '' ? [] : groups),
    { name: 'Actions', entries: pickEntries(actions, wanted, 10) },
  ]
  return { groups: all.filter(({ entries }) => entries.length > 0), isLooking }
}

/** Bankable savings, or the estimate if nothing is bankable. */
function savingWords({ bankable_savings: bankable, estimated_savings: estimated }: Recommendation): string {
  return bankable !== null && bankable > 0 ? `${dollars(bankable)}/month` : `${dollars(estimated)}/month estimated`
}

function useClusters(): Entry[] {
  const may = useMay()
  const navigate = useNavigate()
  const { data } = useQuery({ ...clustersQuery, enabled: may('clusters:read') })
  const mayOpen = useMayOpen()
  const home = mayOpen('/') ? '/' : '/clusters'
  return (data?.clusters ?? []).map(({ id, name, monthly_cost: cost }) => ({
    id: `cluster-${id}`,
    word: name,
    ...(cost === null ? {} : { detail: `${dollars(cost)}/month` }),
    run: () => void navigate({ to: home, search: { cluster: id } }),
  }))
}

/** Workload names come from the costs of the last week, recommendations from a search after a pause in typing. */
function useNames(wanted: string): Found {
  const may = useMay()
  const navigate = useNavigate()
  const searched = useSettled(wanted)
  const catalogue = useQuery({ ...catalogueQuery, enabled: may('reports:read') })
  const isNarrowed = useIsLimited()
  const machines = useQuery({ ...nodeNamesQuery, enabled: may('reports:read') && !isNarrowed })
  const found = useQuery({ ...foundQuery(searched), enabled: may('recommendations:read') && searched.length > 1 })
  const open = (to: '/workloads/$name' | '/namespaces/$name' | '/teams/$name' | '/nodes/$name', name: string) => () =>
    void navigate({ to, params: { name }, search: keepCluster })
  const { namespaces: spaces = [], workloads: known = [], teams: groups = [] } = catalogue.data ?? {}
  const namespaces = spaces.map((name) => ({
    id: `namespace-${name}`,
    word: name,
    run: open('/namespaces/$name', name),
  }))
  const workloads = known.map(({ namespace, kind, name }) => ({
    id: `workload-${namespace}-${kind}-${name}`,
    word: `${namespace}/${name}`,
    detail: kind,
    run: open('/workloads/$name', `${namespace}/${kind}/${name}`),
  }))
  const teams = groups.map((name) => ({ id: `team-${name}`, word: name, run: open('/teams/$name', name) }))
  const nodes = (machines.data ?? []).map((name) => ({
    id: `node-${name}`,
    word: name,
    run: open('/nodes/$name', name),
  }))
  const advice = (found.data?.recommendations ?? []).map((each) => ({
    id: each.id,
    word: targetName(each).main,
    detail: `${ruleName(each)}, ${savingWords(each)}`,
    run: () => void navigate({ to: '/recommendations/$id', params: { id: each.id }, search: {} }),
  }))
  return {
    groups: [
      { name: 'Teams', entries: pickEntries(teams, wanted) },
      { name: 'Namespaces', entries: pickEntries(namespaces, wanted) },
      { name: 'Workloads', entries: pickEntries(workloads, wanted) },
      { name: 'Nodes', entries: pickEntries(nodes, wanted) },
      { name: 'Recommendations', entries: searched.length > 1 ? advice : [] },
    ],
    isLooking: catalogue.isLoading || found.isLoading || searched !== wanted,
  }
}

function usePages(): Entry[] {
  const mayOpen = useMayOpen()
  const navigate = useNavigate()
  return [
    ...places
      .filter(({ to }) => mayOpen(to))
      .map(({ to, word, key }) => ({
        id: `page-${word}`,
        word,
        keys: ['g', key],
        run: () => void navigate({ to, search: keepCluster }),
      })),
    ...settingsSections
      .filter(({ path }) => mayOpen(`/settings/${path}`))
      .map(({ path, word }) => ({
        id: `settings-${path}`,
        word: `Settings: ${word}`,
        run: () => void navigate({ to: '/settings/$section', params: { section: path }, search: keepCluster }),
      })),
  ]
}

function useActions(onHelp: () => void): Entry[] {
  const mayOpen = useMayOpen()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { cluster } = useSearch({ strict: false })
  return [
    ...(mayOpen('/clusters/new')
      ? [{ id: 'add-cluster', word: 'Add cluster', run: () => void navigate({ to: '/clusters/new' }) }]
      : []),
    ...(cluster === undefined
      ? []
      : [
          {
            id: 'all-clusters',
            word: 'Show all clusters',
            run: () => void navigate({ to: '.', search: ({ cluster: _one, ...rest }) => rest }),
          },
        ]),
    { id: 'keys', word: 'Show keyboard shortcuts', keys: ['?'], run: onHelp },
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      id: `theme-${theme}`,
      word: theme === 'system' ? 'Theme: system' : `Theme: ${theme}`,
      run: () => chooseTheme(theme),
    })),
    { id: 'docs', word: 'Open API documentation', run: () => location.assign('/docs') },
    { id: 'leave', word: 'Sign out', run: () => void leave(queries, navigate) },
  ]
}
