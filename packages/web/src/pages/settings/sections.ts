/** In the order of the menu; `page-access.ts` says who may open them. */
export const settingsSections = [
  { path: 'profile', word: 'Profile' },
  { path: 'api-tokens', word: 'API tokens' },
  { path: 'users', word: 'Users' },
  { path: 'roles', word: 'Roles' },
  { path: 'prices', word: 'Prices, discounts' },
  { path: 'policies', word: 'Policies' },
  { path: 'audit', word: 'Audit log' },
] as const
