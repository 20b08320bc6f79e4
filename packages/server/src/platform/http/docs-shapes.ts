import { permissions, problems } from '@plimsoll/contract'
import { html, type HtmlValue } from './html.ts'
import type { OpenApi, Parameter } from './openapi.ts'

export type Schema = Record<string, unknown>

/** Every named shape once; its name links here wherever the type is shown. */
export function shapeSection(api: OpenApi): HtmlValue {
  const shapes = Object.entries(api.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  return html`<section id="shapes">
    <h2>Schemas</h2>
    ${shapes.map(
      ([name, schema]) =>
        html`<article id="shape-${name}">
          <h3>${name}</h3>
          ${prose(text(schema.description))}${fieldTable(api, schema)}
        </article>`,
    )}
  </section>`
}

export function parameterTable(parameters: Parameter[]): HtmlValue {
  if (parameters.length === 0) return ''
  const row = ({ name, in: place, required, description, schema }: Parameter) =>
    html`<tr>
      <td><code>${name}</code></td>
      <td>${place}${required ? '' : ', optional'}</td>
      <td>${typeText(schema)}</td>
      <td>${describeSchema(text(description), schema)}</td>
    </tr>`
  return html`<table>
    <thead>
      <tr>
        <th>Parameter</th>
        <th>In</th>
        <th>Type</th>
        <th>Description</th>
      </tr>
    </thead>
    <tbody>
      ${parameters.map(row)}
    </tbody>
  </table>`
}

export function fieldTable(api: OpenApi, schema: Schema): HtmlValue {
  const fields = fieldsOf(resolve(api, schema), '')
  if (fields.length === 0) return html`<p>${typeText(schema)}</p>`
  return html`<table>
    <thead>
      <tr>
        <th>Field</th>
        <th>Type</th>
        <th>Description</th>
      </tr>
    </thead>
    <tbody>
      ${fields.map(
        ({ name, required, field }) =>
          html`<tr>
            <td><code>${name}</code>${required ? '' : ' (optional)'}</td>
            <td>${typeText(field)}</td>
            <td>${describeSchema(text(field.description ?? resolve(api, field).description), field)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

type Field = { name: string; required: boolean; field: Schema }

/** Includes the fields of unnamed objects, as `agent.version` and `errors[].code`. */
function fieldsOf(schema: Schema, prefix: string): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = field.items === undefined ? field : (field.items as Schema)
    const path = `${prefix}${name}${field.items === undefined ? '' : '[]'}.`
    return [{ name: `${prefix}${name}`, required: required.includes(name), field }, ...fieldsOf(inner, path)]
  })
}

export function resolve(api: OpenApi, schema: Schema): Schema {
  const name = nameOf(schema)
  return name === undefined ? schema : (api.components.schemas[name] ?? {})
}

const nameOf = ({ $ref }: Schema) => (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined)

export function typeText(schema: Schema): HtmlValue {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="#shape-${name}">${name}</a>`
  if (Array.isArray(schema.enum)) return choiceText(schema.enum as unknown[])
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.anyOf)) return joined((schema.anyOf as Schema[]).map(typeText))
  const types = [schema.type ?? 'any'].flat() as string[]
  return joined(types.map((type) => oneType(type, schema)))
}

function oneType(type: string, { items, format }: Schema): HtmlValue {
  if (type === 'array') return html`array of ${typeText((items ?? {}) as Schema)}`
  return type === 'string' && typeof format === 'string' ? `string (${format})` : type
}

const joined = (types: HtmlValue[]): HtmlValue => types.flatMap((type, index) => (index === 0 ? [type] : [' | ', type]))

function choiceText(choices: unknown[]): HtmlValue {
  if (choices.includes(permissions[0])) return html`<a href="#permissions">a permission</a>`
  if (choices.includes(Object.keys(problems)[0])) return html`<a href="#problems">a problem code</a>`
  return choices.map(String).join(' | ')
}

/** The meaning, and the limits unless the description has them. */
function describeSchema(description: string, schema: Schema): HtmlValue {
  const limits = limitsOf(schema).filter((limit) => !description.includes(limit))
  return prose([description, limits.join('; ')].filter((part) => part !== '').join('. '))
}

/** Descriptions have names and values between backticks, as in Markdown. */
export const prose = (words: string): HtmlValue =>
  words.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

/** In the words of validation errors. */
function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, minProperties } = schema as Record<string, number>
  const item = (schema.items ?? {}) as Schema
  const facts = [
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'entries'),
    range(minimum, maximum, ''),
    minProperties === undefined ? undefined : `at least ${minProperties} field`,
    schema.uniqueItems === true ? 'no duplicates' : undefined,
    patternText(schema),
    schema.items === undefined ? undefined : limitsOfItems(item),
  ]
  return facts.filter((fact) => fact !== undefined)
}

function limitsOfItems(item: Schema): string | undefined {
  const limits = [text(item.description), ...limitsOf(item)].filter((each) => each !== '').join('; ')
  return limits === '' ? undefined : `each: ${limits}`
}

/** A pattern with a description is shown by the description only. */
function patternText({ 'x-form': form, description }: Schema): string | undefined {
  return typeof form === 'string' && description === undefined ? form : undefined
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const words = unit === '' ? '' : ` ${unit}`
  if (min !== undefined && max !== undefined) return `${min} to ${max}${words}`
  if (max !== undefined) return `at most ${max}${words}`
  return min === undefined ? undefined : `at least ${min}${words}`
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
