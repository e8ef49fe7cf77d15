/** Returns the list without the first of its shortest items. */
export function withoutShortest<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
): readonly T[] {
  const shortest = Math.min(...items.map(lengthOf))
  const index = items.findIndex((item) => lengthOf(item) === shortest)
  return items.filter((_, other) => other !== index)
}
