/** In menu order; `page-access.ts` defines who can open them. */
export const settingsSections = [
  { path: 'profile', word: 'Profile' },
  { path: 'api-tokens', word: 'API tokens' },
  { path: 'users', word: 'Users' },
  { path: 'roles', word: 'Roles' },
  { path: 'sign-in', word: 'Sign-in' },
  { path: 'teams', word: 'Teams' },
  { path: 'alerts', word: 'Alerts and channels' },
  { path: 'prices', word: 'Prices' },
  { path: 'policies', word: 'Policies' },
  { path: 'audit', word: 'Audit log' },
] as const
