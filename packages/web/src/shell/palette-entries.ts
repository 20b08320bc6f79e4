import type { Recommendation, SearchResults } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { clustersQuery, searchLettersMin, searchQuery } from '../api/queries.ts'
import { dollars } from '../format/money.ts'
import { ruleName } from '../format/labels.ts'
import { settingsSections } from './settings-sections.ts'
import { useDebounced } from '../parts/use-debounced.ts'
import { chooseTheme } from '../parts/theme.ts'
import { leave } from './leave.ts'
import { useMayOpen } from './page-access.ts'
import { matchingEntries, pickEntries } from './pick-entries.ts'
import { recommendationWord } from './recommendation-word.ts'
import { keepCluster, menuPages } from './menu-pages.ts'

export type Entry = { id: string; word: string; detail?: string; keys?: readonly string[]; run: () => void }
export type EntryGroup = { name: string; entries: Entry[] }

/** `isTooShort`: objects are found from the second letter on. */
type Found = { groups: EntryGroup[]; isLooking: boolean; isTooShort: boolean }

/** The pages, objects and actions that match the text and that the viewer may use. */
export function usePaletteEntries(text: string, onHelp: () => void): Found {
  const wanted = text.trim().toLowerCase()
  const pages = usePages()
  const { groups, ...state } = useObjects(wanted)
  const actions = useActions(onHelp)
  const all = [
    { name: 'Pages', entries: pickEntries(pages, wanted, 20) },
    ...groups,
    { name: 'Actions', entries: pickEntries(actions, wanted, 10) },
  ]
  return { groups: all.filter(({ entries }) => entries.length > 0), ...state }
}

/** Bankable savings, or the estimate if nothing is bankable. */
function savingWords({ bankable_savings: bankable, estimated_savings: estimated }: Recommendation): string {
  return bankable !== null && bankable > 0 ? `${dollars(bankable)}/month` : `${dollars(estimated)}/month estimated`
}

const searchMax = 200

/** Without a text, the first clusters; otherwise the results of the search, after a pause in typing. */
function useObjects(wanted: string): Found {
  const searched = useDebounced(wanted.slice(0, searchMax))
  const { data, isFetching } = useQuery(searchQuery(searched))
  const clusters = useFirstClusters()
  const openers = useOpeners()
  if (wanted === '')
    return {
      groups: [{ name: 'Clusters', entries: pickEntries(clusters.map(openers.cluster), '') }],
      ...{ isLooking: false, isTooShort: false },
    }
  if ([...wanted].length < searchLettersMin) return { groups: [], isLooking: false, isTooShort: true }
  // The results may be those of the text before. The service has sorted them.
  const matching = (entries: Entry[]) => matchingEntries(entries, wanted)
  return {
    groups: [
      { name: 'Clusters', entries: matching((data?.clusters ?? []).map(openers.cluster)) },
      { name: 'Teams', entries: matching((data?.teams ?? []).map(openers.team)) },
      { name: 'Namespaces', entries: matching((data?.namespaces ?? []).map(openers.namespace)) },
      { name: 'Workloads', entries: matching((data?.workloads ?? []).map(openers.workload)) },
      { name: 'Nodes', entries: matching((data?.nodes ?? []).map(openers.node)) },
      // The service also searches names of pods, which no entry shows.
      {
        name: 'Recommendations',
        entries: (data?.recommendations ?? []).map((each) => openers.recommendation(each, searched)),
      },
    ],
    isTooShort: false,
    isLooking: isFetching || searched !== wanted.slice(0, searchMax),
  }
}

type FoundCluster = SearchResults['clusters'][number]

function useFirstClusters(): FoundCluster[] {
  const mayOpen = useMayOpen()
  const { data } = useQuery({ ...clustersQuery, enabled: mayOpen('/clusters') })
  return data?.clusters ?? []
}

type OwnerPath = '/workloads/$name' | '/namespaces/$name' | '/teams/$name' | '/nodes/$name'

/** Turns each kind of result into an entry that opens its page. */
function useOpeners() {
  const navigate = useNavigate()
  const mayOpen = useMayOpen()
  const home = mayOpen('/') ? '/' : '/clusters'
  /** The selected cluster stays selected if it contains the object. */
  const open = (to: OwnerPath, name: string, clusterIds?: readonly string[]) => () =>
    void navigate({
      to,
      params: { name },
      search: (old: { cluster?: string }) =>
        old.cluster !== undefined && clusterIds?.includes(old.cluster) === false ? {} : keepCluster(old),
    })
  return {
    cluster: ({ id, name, monthly_cost: cost }: FoundCluster): Entry => ({
      id: `cluster-${id}`,
      word: name,
      ...(cost === null ? {} : { detail: `${dollars(cost)}/month` }),
      run: () => void navigate({ to: home, search: { cluster: id } }),
    }),
    team: ({ name }: SearchResults['teams'][number]): Entry => ({
      id: `team-${name}`,
      word: name,
      run: open('/teams/$name', name),
    }),
    namespace: ({ name, cluster_ids: ids }: SearchResults['namespaces'][number]): Entry => ({
      id: `namespace-${name}`,
      word: name,
      run: open('/namespaces/$name', name, ids),
    }),
    workload: ({ namespace, kind, name, cluster_ids: ids }: SearchResults['workloads'][number]): Entry => ({
      id: `workload-${namespace}-${kind}-${name}`,
      word: `${namespace}/${name}`,
      detail: kind,
      run: open('/workloads/$name', `${namespace}/${kind}/${name}`, ids),
    }),
    node: ({ name, cluster_ids: ids }: SearchResults['nodes'][number]): Entry => ({
      id: `node-${name}`,
      word: name,
      run: open('/nodes/$name', name, ids),
    }),
    recommendation: (found: Recommendation, text: string): Entry => ({
      id: found.id,
      word: recommendationWord(found, text),
      detail: `${ruleName(found)}, ${savingWords(found)}`,
      run: () => void navigate({ to: '/recommendations/$id', params: { id: found.id }, search: {} }),
    }),
  }
}

function usePages(): Entry[] {
  const mayOpen = useMayOpen()
  const navigate = useNavigate()
  return [
    ...menuPages
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
