import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { COPIED_PACKAGES } from './copied-packages.ts'

/** The copy in the repository. */
export const noticeFile = fileURLToPath(new URL('../../NOTICE', import.meta.url))

const lockFile = fileURLToPath(new URL('../../package-lock.json', import.meta.url))

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.string().optional(), dev: z.boolean().optional() }),
  ),
})

const INTRODUCTION = `Reelgate

Licensed under the Apache License, Version 2.0 (see LICENSE).

This file names what a release contains of others. It is generated from package-lock.json by "npm run notice". The text
of each licence is in the folder of its package, or in third-party/ for what the repository has a copy of.

PROGRAMS OF THE CONTAINER IMAGE

ffmpeg, with x264 and other libraries: from Debian, built with GPL parts, so under the GNU General Public License, version 2
or later. Reelgate starts it as a program of its own. The texts are in /usr/share/doc/*/copyright of the image. Who hands the
image on to others must offer the source of these packages: "apt-get source ffmpeg" on the same Debian release, or
https://snapshot.debian.org for the versions that "dpkg -l" shows in the image.
Other programs and libraries of Debian: each under the licence in /usr/share/doc/*/copyright of the image.
Node.js: MIT and the licences of its parts, https://github.com/nodejs/node/blob/main/LICENSE
Shaka Packager, in the package shaka-packager: BSD-3-Clause, Copyright Google LLC.

VIDEO

scripts/demo/big-buck-bunny.mp4, and the pictures in docs that show it: from the film Big Buck Bunny, (c) copyright 2008,
Blender Foundation, https://peach.blender.org, under the Creative Commons Attribution 3.0 licence,
https://creativecommons.org/licenses/by/3.0/. An excerpt of five seconds.

COPIES IN THIS REPOSITORY

${COPIED_PACKAGES.map(({ name, version, licence, copyright, what }) => `${name} ${version}: ${licence}, ${copyright}\n  ${what}`).join('\n')}

PACKAGES
`

/** Returns the text of NOTICE: the packages of a production installation, on any platform, by licence. */
export function noticeDocument(): string {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(lockFile, 'utf8')))
  const byLicence = new Map<string, Set<string>>()
  for (const [path, { license = 'see the package', dev = false }] of Object.entries(packages)) {
    if (path === '' || dev) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(name))
  }
  const sections = [...byLicence].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(section)
  return [INTRODUCTION, ...sections].join('\n')
}

const section = ([licence, names]: [string, Set<string>]): string =>
  `${licence}\n${[...names]
    .toSorted()
    .map((name) => `  ${name}\n`)
    .join('')}`
