import { expect, test } from 'vitest'
import { auditActions, auditTargetTypes } from './audit-actions.ts'

const actions = Object.keys(auditActions)

test('an action is a type of target and a verb', () => {
  for (const action of actions) {
    expect(action).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(auditTargetTypes).toContain(action.split('.')[0])
  }
})

test('every type of target has an action', () => {
  const targets = new Set(actions.map((action) => action.split('.')[0]))
  expect([...targets].sort()).toEqual([...auditTargetTypes])
})

test('every action has a unique sentence', () => {
  const sentences = Object.values(auditActions)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[^.]$/)
})
