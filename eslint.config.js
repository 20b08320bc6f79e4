import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { noSuperLinearPattern } from './scripts/lint/no-super-linear-pattern.mjs'

const restrictedSyntax = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  { selector: 'ExportAllDeclaration[exported=null]', message: 'Name what is exported; index.ts lists it.' },
  {
    selector: "CallExpression[callee.property.name='toMatchObject'] Property > Literal[regex]",
    message: 'It matches anything there: use expect.stringMatching.',
  },
]

const providersAndFormats = '/^(aws|gcp|azure|oci|hetzner|ovh|kustomize|helm|json-patch|strategic-merge)$/'

const restrictedInProduct = [
  ...restrictedSyntax,
  ...['Literal[value=/^\\/(api\\/v1|auth)\\//]', 'TemplateElement[value.raw=/^\\/(api\\/v1|auth)\\//]'].map(
    (selector) => ({
      selector,
      message: 'Paths of the API are in packages/contract. Call the API through @plimsoll/client.',
    }),
  ),
  ...['BinaryExpression[operator=/^[!=]==$/]', 'SwitchCase'].map((parent) => ({
    selector: `${parent} > Literal[value=${providersAndFormats}]`,
    message: 'A cloud provider and a manifest format are values: add a field to the value instead.',
  })),
]

export default tseslint.config(
  { ignores: ['**/dist/**', '**/dist.*/**', '**/node_modules/**', 'coverage/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylisticTypeChecked],
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Fastify plugins and hooks are async by contract, with or without something to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
    },
  },
  {
    // A regular expression with overlapping quantifiers lets one request hold the process.
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    plugins: { regexp, patterns: { rules: { 'no-super-linear-pattern': noSuperLinearPattern } } },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { ignorePartial: false, ignoreSticky: false }],
      'patterns/no-super-linear-pattern': 'error',
    },
  },
  {
    // Time, chance and the environment come in at the edges: main.ts, tests and benchmarks.
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: ['**/main.ts', '**/*.test.ts', '**/*.test.tsx'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take `now` as an argument.' },
        {
          object: 'Math',
          property: 'random',
          message: 'Take randomness as an argument, or use node:crypto for secrets.',
        },
        { object: 'process', property: 'env', message: 'Only main.ts reads the environment.' },
      ],
    },
  },
  {
    // The agent calls the APIs of Kubernetes and Prometheus, and the simulator describes the clouds that it simulates.
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: ['packages/{contract,agent,simulator}/**', '**/*.test.ts', '**/*.test.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...restrictedInProduct] },
  },
  {
    files: ['packages/{engine,pipeline}/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...restrictedInProduct,
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The result must depend on its arguments only. Take `now` as an argument.',
        },
      ],
      // The pipeline needs the types of Node for `Buffer`, which name these too.
      'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'require'],
    },
  },
  {
    files: ['packages/web/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  // Declaration merging needs interfaces.
  { files: ['**/*.d.ts'], rules: { '@typescript-eslint/consistent-type-definitions': 'off' } },
  { files: ['bench/**', 'scripts/**', '**/main.ts'], rules: { 'no-console': 'off' } },
)
