import {
  readHiddenColumns,
  readPreference,
  writeHiddenColumns,
  writePreference,
} from '../../preferences.ts'
import { createStore } from '../../store.ts'

export const DENSITIES = ['comfortable', 'compact'] as const
type Density = (typeof DENSITIES)[number]

const density = createStore<Density>(
  readPreference('density') === 'compact' ? 'compact' : 'comfortable',
)

/** How high the rows of all tables are, and how to change it. */
export const useDensity = (): [Density, (chosen: Density) => void] => [
  density.use(),
  (chosen) => {
    writePreference('density', chosen === 'compact' ? chosen : null)
    density.set(chosen)
  },
]

/** The hidden columns of each table that was shown, by its name. */
const hidden = createStore<Readonly<Record<string, readonly number[]>>>({})

const NONE: readonly number[] = []

/** Returns the places of the hidden columns of a table, from 0, and how to change them. A table without a name shows all. */
export function useHiddenColumns(
  table: string | undefined,
): [readonly number[], (columns: readonly number[]) => void] {
  const all = hidden.use()
  if (table === undefined) return [NONE, () => {}]
  const columns = all[table] ?? placesIn(readHiddenColumns(table))
  return [
    columns,
    (chosen) => {
      writeHiddenColumns(table, chosen.length > 0 ? chosen.join(' ') : null)
      hidden.set({ ...all, [table]: chosen })
    },
  ]
}

const placesIn = (text: string | null): number[] =>
  (text ?? '')
    .split(' ')
    .map(Number)
    .filter((place) => Number.isInteger(place) && place > 0)
