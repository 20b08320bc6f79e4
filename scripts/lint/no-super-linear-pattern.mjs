// Checks regular expressions that are given as text: `pattern: '…'` of a schema and the first argument of `Formed`. The
// plugin eslint-plugin-regexp checks only literals and `new RegExp('…')`. Both use the same analysis.
import { getStaticValue } from '@eslint-community/eslint-utils'
import { analyse } from 'scslre'

/** The flags with which Ajv compiles the patterns of schemas. */
const flags = 'u'

function create(context) {
  const { sourceCode } = context

  function check(node) {
    const source = getStaticValue(node, sourceCode.getScope(node))?.value
    if (typeof source !== 'string') return
    for (const { type, exponential, character } of reportsOf(source)) {
      const data = { attack: character.literal.source, growth: exponential ? 'exponential' : 'quadratic', type }
      context.report({ node, messageId: 'superLinear', data })
    }
  }

  return {
    'Property[key.name="pattern"]': ({ value }) => check(value),
    'CallExpression[callee.name="Formed"]': ({ arguments: [pattern] }) => pattern && check(pattern),
  }
}

function reportsOf(source) {
  try {
    return analyse({ source, flags }).reports
  } catch {
    // Text that is not a regular expression, such as `pattern: '*.example.com'`.
    return []
  }
}

export const noSuperLinearPattern = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuse patterns of schemas that take more than linear time' },
    schema: [],
    messages: { superLinear: 'Text of /{{attack}}+/ takes {{growth}} time ({{type}}): remove the overlap.' },
  },
  create,
}
