/** What of the settings somebody sees is what their role may read. */
export const settingsSections = [
  { path: 'profile', word: 'Profile', needs: null },
  { path: 'api-tokens', word: 'API tokens', needs: null },
  { path: 'users', word: 'Users', needs: 'users:read' },
  { path: 'roles', word: 'Roles', needs: 'roles:read' },
  { path: 'prices', word: 'Prices, discounts', needs: 'billing:read' },
  { path: 'policies', word: 'Policies', needs: 'settings:read' },
  { path: 'audit', word: 'Audit log', needs: 'audit:read' },
] as const
