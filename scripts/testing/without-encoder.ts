import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { inheritedEnvironment } from '../bootstrap/tools.mjs'

const REFUSAL = `#!/bin/sh
echo "test:fast runs no encoder: scripts/testing/fast-tests.ts must see that this test needs one" >&2
exit 69
`

/** Calls `run` with a PATH on which ffmpeg and ffprobe refuse to run, so that no slow test is taken for a fast one. */
export async function withoutEncoder<T>(
  run: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-no-encoder-'))
  try {
    for (const name of ['ffmpeg', 'ffprobe'])
      writeFileSync(join(folder, name), REFUSAL, { mode: 0o755 })
    return await run({ PATH: [folder, inheritedEnvironment().PATH].join(delimiter) })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
