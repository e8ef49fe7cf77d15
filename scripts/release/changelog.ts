const UNRELEASED = '## [Unreleased]'
const HEADINGS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** Returns the section of a version, without its heading. Throws if the changelog has none. */
export function sectionOf(changelog: string, version: string): string {
  const start = changelog.indexOf(`\n## [${version}]`)
  if (start === -1) throw new Error(`CHANGELOG.md has no section of ${version}`)
  const [, ...lines] = changelog.slice(start + 1).split('\n')
  const end = lines.findIndex((line) => line.startsWith('## '))
  return lines
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trim()
}

/** Returns what the next release changes; empty right after a release. */
export const unreleasedOf = (changelog: string): string => sectionOf(changelog, 'Unreleased')

/**
 * Returns the changelog with what is unreleased as the section of a version, below a new empty one. `date` is
 * `2026-12-24`. Throws if nothing is unreleased, or if a heading is unknown or there twice.
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const section = unreleasedOf(changelog)
  if (section === '') throw new Error('CHANGELOG.md has nothing under [Unreleased]')
  checkHeadings(section)
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`)
}

function checkHeadings(section: string): void {
  const headings = [...section.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading)
  const wrong = headings.find(
    (heading, index) => !HEADINGS.includes(heading) || headings.indexOf(heading) !== index,
  )
  if (wrong !== undefined)
    throw new Error(`CHANGELOG.md: the heading ${wrong} of [Unreleased] is unknown, or there twice`)
}
