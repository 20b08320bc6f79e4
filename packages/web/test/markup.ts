import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** The HTML of a component before any effect runs: charts have their initial width, and nothing is measured. */
export const markupOf = (element: ReactElement): string => renderToStaticMarkup(element)

/** The visible text, without elements and attributes. */
export const textOf = (markup: string): string =>
  markup
    .replaceAll(/<title>[^<]*<\/title>/g, '')
    .replaceAll(/<[^<>]*>/g, '|')
    .replaceAll(/\|+/g, '|')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

/** The values of one attribute, in the order of the document. */
export const attributesOf = (markup: string, name: string): string[] =>
  [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

export const countOf = (markup: string, tag: string): number => markup.split(new RegExp(`<${tag}[ >/]`)).length - 1
