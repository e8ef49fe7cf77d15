import type { Action } from '../parts/page-actions.ts'

/** What the palette lists under one heading. */
export interface PaletteGroup {
  name: 'recent' | 'page' | 'areas' | 'actions' | 'videos'
  actions: readonly Action[]
}

/** Returns what matches a text in groups, recent actions first. No action is in two of them. */
export function groupsOf(
  actions: readonly Action[],
  videos: readonly Action[],
  recentIds: readonly string[],
): PaletteGroup[] {
  const recent = recentIds.flatMap((id) => actions.find((action) => action.id === id) ?? [])
  const others = actions.filter((action) => !recent.includes(action))
  const groups: PaletteGroup[] = [
    { name: 'recent', actions: recent },
    { name: 'page', actions: others.filter(({ group }) => group === undefined) },
    { name: 'areas', actions: others.filter(({ group }) => group === 'areas') },
    { name: 'actions', actions: others.filter(({ group }) => group === 'actions') },
    { name: 'videos', actions: videos },
  ]
  return groups.filter((group) => group.actions.length > 0)
}

/** Returns the actions whose label contains every word of the text. */
export function matching(actions: readonly Action[], text: string): Action[] {
  const parts = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return actions.filter(({ label }) => {
    const name = label.toLocaleLowerCase()
    return parts.every((part) => name.includes(part))
  })
}
