import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { Message } from '../parts/states.tsx'
import { Alerts } from './settings/alerts.tsx'
import { ApiTokens } from './settings/api-tokens.tsx'
import { Audit } from './settings/audit.tsx'
import { Policies } from './settings/policies.tsx'
import { PriceSettings } from './settings/prices.tsx'
import { Profile } from './settings/profile.tsx'
import { Roles } from './settings/roles.tsx'
import { permissionFor, useMayOpen } from '../shell/page-access.ts'
import { SignInSettings } from './settings/sign-in.tsx'
import { settingsSections } from '../shell/settings-sections.ts'
import { Teams } from './settings/teams.tsx'
import { Users } from './settings/users.tsx'

const contents: Record<(typeof settingsSections)[number]['path'], ReactNode> = {
  profile: <Profile />,
  'api-tokens': <ApiTokens />,
  users: <Users />,
  roles: <Roles />,
  'sign-in': <SignInSettings />,
  teams: <Teams />,
  alerts: <Alerts />,
  prices: <PriceSettings />,
  policies: <Policies />,
  audit: <Audit />,
}

export function SettingsPage() {
  const { section } = useParams({ from: '/shell/settings/$section' })
  const mayOpen = useMayOpen()
  const shown = settingsSections.filter(({ path }) => mayOpen(`/settings/${path}`))
  const current = settingsSections.find(({ path }) => path === section)
  const isAllowed = shown.some(({ path }) => path === section)
  return (
    <Page title={current === undefined ? 'Settings' : `${current.word} · Settings`} heading="Settings">
      <div className="grid gap-x-10 gap-y-6 mid:grid-cols-[150px_minmax(0,1fr)]">
        <nav aria-label="Settings">
          <ul className="flex flex-wrap gap-x-4 mid:grid">
            {shown.map(({ path, word }) => (
              <li key={path}>
                <Link
                  to="/settings/$section"
                  params={{ section: path }}
                  className="my-0 inline-flex min-h-8 min-w-6 items-center text-ink-2 aria-[current=page]:font-semibold aria-[current=page]:text-ink"
                >
                  {word}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 content-start gap-6">
          {current === undefined ? (
            <Message icon="search" title="Settings page not found" />
          ) : isAllowed ? (
            contents[current.path]
          ) : (
            <Message icon="lock" title={`This page requires ${permissionFor(`/settings/${current.path}`) ?? ''}`}>
              An admin can grant access in Settings → Roles.
            </Message>
          )}
        </div>
      </div>
    </Page>
  )
}
