import { containers } from './containers.ts'
import { fields } from './fields.ts'
import { kinds } from './kinds.ts'
import { names } from './names.ts'
import { resources } from './resources.ts'
import { sources } from './sources.ts'
import type { Case } from './case.ts'

/** One edge case each; a new one belongs to its topic. */
export const corpus: Case[] = [...resources, ...containers, ...names, ...sources, ...kinds, ...fields]
