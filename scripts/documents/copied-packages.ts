/** A package of which the repository contains a copy, in `third-party/` with its licence. */
export interface CopiedPackage {
  name: string
  version: string
  licence: string
  copyright: string
  what: string
}

/**
 * Copies, because each is one file of a package that brings many others: 83 packages for the bundle of Redoc, 86 MB
 * for a build of Shaka Player, 87 MB for 54 icons.
 */
export const COPIED_PACKAGES: readonly CopiedPackage[] = [
  {
    name: '@tabler/icons',
    version: '3.50.0',
    licence: 'MIT',
    copyright: 'Copyright (c) 2020-2026 Paweł Kuna',
    what: 'the icons in dashboard/web/icons',
  },
  {
    name: 'redoc',
    version: '2.5.4',
    licence: 'MIT',
    copyright: 'Copyright (c) 2015-present, Rebilly, Inc.',
    what: 'third-party/redoc, with parts of others: redoc.standalone.js.LICENSE.txt',
  },
  {
    name: 'shaka-player',
    version: '5.2.12',
    licence: 'Apache-2.0',
    copyright: 'Copyright 2016 Google LLC',
    what: 'third-party/shaka-player',
  },
]
