import { containers } from './containers.ts'
import { fields } from './fields.ts'
import { kinds } from './kinds.ts'
import { names } from './names.ts'
import { resources } from './resources.ts'
import { sources } from './sources.ts'
import type { Case } from './case.ts'

/** One trap each; a new one goes to the topic it is about. */
export const corpus: Case[] = [...resources, ...containers, ...names, ...sources, ...kinds, ...fields]
